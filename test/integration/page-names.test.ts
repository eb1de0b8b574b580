import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { getPerformanceView } from '#server/console/performance/performance.ts'
import { IngestState } from '#server/ingest/project-rules.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { viewerOfProject } from '#test/test-store.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

/** A span as Sentry's SDK 11 for browsers sends it: all page loads have one name. */
function spanOf(load: string, id: string, { op, ...attributes }: { op: string; [name: string]: unknown }) {
  const at = Date.now() / 1000 - 10
  const values = {
    'sentry.op': op,
    'sentry.segment.name': 'Pageload',
    'sentry.segment.id': load,
    ...attributes,
  }
  return {
    trace_id: load.repeat(2),
    span_id: id,
    ...(id !== load && { parent_span_id: load }),
    name: id === load ? 'Pageload' : op,
    is_segment: id === load,
    status: 'ok',
    start_timestamp: at,
    end_timestamp: at + 1,
    attributes: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
  }
}

async function send(...items: object[]): Promise<void> {
  const { status } = await postEnvelope(server.origin, envelopeOf({}, ['span', { version: 2, items }]))
  expect(status).toBe(200)
}

it('web vitals that the browser sends after their page load count for its route, also at another process', async () => {
  const [cart, about] = ['a'.repeat(16), 'b'.repeat(16)] as const
  const loaded = {
    op: 'pageload',
    'sentry.origin': 'auto.pageload.browser',
    'browser.web_vital.ttfb.value': 40,
  }
  await send(
    spanOf(cart, cart, { ...loaded, 'url.path': '/cart/17' }),
    spanOf(about, about, { ...loaded, 'url.path': '/about' }),
  )
  await send(
    spanOf(about, 'c'.repeat(16), { op: 'ui.webvital.lcp', 'browser.web_vital.lcp.value': 900 }),
    spanOf(cart, 'd'.repeat(16), { op: 'ui.webvital.lcp', 'browser.web_vital.lcp.value': 500 }),
    spanOf('e'.repeat(16), 'f'.repeat(16), { op: 'ui.webvital.lcp', 'browser.web_vital.lcp.value': 700 }),
  )
  // A process that has not received the page loads.
  Object.assign(server.services, { ingestState: new IngestState() })
  await send(spanOf(about, '1'.repeat(16), { op: 'ui.webvital.cls', 'browser.web_vital.cls.value': 0.1 }))
  await send(
    spanOf(cart, '2'.repeat(16), { op: 'ui.webvital.cls', 'browser.web_vital.cls.value': 0.2 }),
    spanOf('e'.repeat(16), '3'.repeat(16), { op: 'ui.webvital.cls', 'browser.web_vital.cls.value': 0.3 }),
  )
  await vi.waitFor(
    async () => {
      const view = await getPerformanceView(server.services, viewerOfProject(fixtureProject.id), {
        view: 'vitals',
      })
      const found = view.routes.map(
        ({ name, vitals }) => `${name}: ${Object.keys(vitals).toSorted().join(' ')}`,
      )
      expect(found.toSorted()).toEqual([
        '/about: cls lcp ttfb',
        '/cart/*: cls lcp ttfb',
        // Its page load is unknown.
        'Pageload: cls lcp',
      ])
    },
    { timeout: 20_000 },
  )
})
