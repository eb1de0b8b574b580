import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultMonitorSettings } from '#monitors/schedule.ts'
import { limits } from '#server/limits.ts'
import { runRetention } from '#server/retention/run-retention.ts'
import { recordHeartbeat } from '#server/store/installation/processes.ts'
import { recordNewMonitor } from '#server/store/monitors/changes.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { createReadRounds, findFewestRounds, mostRounds, type ReadCounts } from '#test/read-rounds.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { otherProject, type TestServer } from '#test/start-server.ts'
import { startConsole } from '#test/test-console.ts'

/** A filter with a usable index is counted first: docs/decisions/0061-three-rounds-of-statements.md. */
const mostFilterRounds = mostRounds + 1

const schedule = { kind: 'crontab' as const, crontab: '0 3 * * *', timeZone: 'UTC' }
const settings = { ...defaultMonitorSettings, schedule }
const nightly = { projectId: 42, slug: 'nightly', name: 'Nightly', settings }

const rounds = createReadRounds()
let server: TestServer
let eventId: string
/** Of the owner. */
let cookie: string

/** The built console behind the real front: `npm test` builds before it tests. */
beforeAll(async () => {
  server = await startConsole({ readPlugins: [rounds.plugin] })
  await addUser(server.services.store)
  cookie = await cookieOf(server.origin)
  for (let number = 0; number < 60; number += 1) {
    const event = {
      message: `Trouble ${number}`,
      fingerprint: [`trouble ${number}`],
      environment: number % 2 === 0 ? 'production' : 'staging',
      release: `web@${number % 3}`,
      user: { id: String(number) },
      tags: { digest: String(1_135_396_900 + number) },
      contexts: { trace: { trace_id: traceIdOf(number), span_id: 'b'.repeat(16) } },
    }
    const response = await postEnvelope(server.origin, envelopeOf({}, ['event', event]))
    eventId = v.parse(v.object({ id: v.string() }), await response.json()).id
  }
  await sendTransaction()
  await recordNewMonitor(server.services.store, nightly, Date.now())
  // The user is cached from the first page on.
  await open('/digest')
}, 60_000)

afterAll(() => server.stop())

async function open(path: string): Promise<ReadCounts & { html: string; status: number }> {
  let [html, status] = ['', 0]
  const counts = await rounds.count(async () => {
    const response = await fetch(server.origin + path, { headers: { accept: 'text/html', cookie } })
    html = await response.text()
    status = response.status
  })
  return { ...counts, html, status }
}

function traceIdOf(number: number): string {
  return number.toString(16).padStart(32, 'c')
}

/**
 * A transaction in the trace of the last event, whose figures are on the pages of performance. Its query is
 * not slow: that would be an event, too.
 */
async function sendTransaction(): Promise<void> {
  const at = Date.now() / 1000
  const trace = { trace_id: traceIdOf(59), span_id: 'b'.repeat(16), op: 'http.server' }
  const times = { start_timestamp: at - 0.1, timestamp: at }
  const query = { ...times, ...trace, span_id: 'd'.repeat(16), op: 'db', description: 'SELECT 1' }
  const transaction = { transaction: 'GET /', ...times, contexts: { trace }, spans: [query] }
  await postEnvelope(server.origin, envelopeOf({}, ['transaction', transaction]))
  await server.services.committer.drain()
}

async function findQueryPath(): Promise<string> {
  const { html } = await open('/performance?view=queries')
  return /\/performance\/[^"/?]+\/spans\/\d+/.exec(html)?.[0] ?? '/performance/none/spans/0'
}

async function findTransactionPath(): Promise<string> {
  const { html } = await open('/performance')
  return /\/performance\/[^"/?]+\/\d+/.exec(html)?.[0] ?? '/performance/none/0'
}

function projectPage(name: string): [string, () => string] {
  return [`a project’s page “${name}”`, () => `/projects/fixture/${name}`]
}

async function findIssuePath(): Promise<string> {
  const { html } = await open('/issues')
  return /\/issues\/\d+/.exec(html)?.[0] ?? '/issues/none'
}

describe('a screen', () => {
  it.each([
    ['the stream', () => '/issues'],
    [
      'the stream under every filter',
      () => '/issues?status=all&project=fixture&environment=staging&sort=users',
    ],
    ['the stream with invalid values', () => `/issues?sort=upwards&status=strange&cursor=${'x'.repeat(50)}`],
    ['the stream without an issue', () => '/issues?project=other'],
    ['an issue', findIssuePath],
    ['an issue’s events', async () => `${await findIssuePath()}/events`],
    [
      'an issue’s events under every filter',
      async () =>
        `${await findIssuePath()}/events?environment=production&release=web%400&key=level&value=error&since=2020-01-01T00:00&until=2099-01-01T00:00`,
    ],
    ['an issue’s tags', async () => `${await findIssuePath()}/tags`],
    ['all values of a tag', async () => `${await findIssuePath()}/tags?key=environment`],
    ['an event', () => `/events/${eventId}`],
    ['a digest without a match', () => `/digest/${'f'.repeat(32)}`],
    ['the projects', () => '/projects'],
    ['the outcomes', () => '/outcomes'],
    ['the dead letters', () => '/outcomes/dead-letters'],
    ['the system', () => '/settings/system'],
    ['the releases', () => '/releases?sort=version&environment=staging&q=web'],
    ['a release', () => '/releases/web@1'],
    ['the account', () => '/settings'],
    ['the members', () => '/settings/members'],
    ['the tokens', () => '/settings/tokens'],
    ['an issue’s alerts', async () => `${await findIssuePath()}/alerts`],
    ['the ledger of alerts', () => '/alerts'],
    ['the alert rules', () => '/projects/fixture/alerts'],
    ['the notifications', () => '/settings/notifications'],
    ['the destinations', () => '/settings/destinations'],
    ['the inbox', () => '/inbox?show=all'],
    ['forwarding', () => '/tunnel'],
    ['a trace', () => `/traces/${traceIdOf(59)}`],
    ['the transactions', () => '/performance?sort=p95&environment=production&q=GET'],
    ['the queries', () => '/performance?view=queries'],
    ['the requests', () => '/performance?view=requests&period=30d'],
    ['the web vitals', () => '/performance?view=vitals&device=mobile'],
    ['the resources', () => '/performance?view=resources'],
    ['a query', async () => `${await findQueryPath()}?period=7d`],
    ['a transaction', async () => `${await findTransactionPath()}?period=7d`],
    ['the monitors', () => '/monitors?kind=cron&period=7d'],
    ['a monitor', () => '/monitors/fixture/nightly?period=7d&environment=production'],
    ['a new cron monitor', () => '/monitors/new'],
    ['a new uptime monitor', () => '/monitors/new-uptime'],
    ['the status page’s settings', () => '/settings/status-page'],
    ['an import', () => '/settings/import'],
    ['a new project', () => '/projects/new'],
    ...['', 'setup', 'keys', 'members', 'inbound', 'grouping', 'scrubbing', 'ownership', 'source-maps'].map(
      projectPage,
    ),
    ...['limits', 'upstreams', 'danger'].map(projectPage),
  ])('reads %s in at most three rounds of statements, four with a filter', async (name, findPath) => {
    const path = await findPath()
    // The server's own periodic reads would be counted, too: they are not within both of two pages.
    const shown = [await open(path), await open(path)]
    expect(shown.map(({ status }) => status)).toEqual([200, 200])
    const roundCount = Math.min(...shown.map((page) => page.roundCount))
    expect(roundCount).toBeGreaterThan(0)
    const isFiltered = name === 'the stream under every filter'
    expect(roundCount).toBeLessThanOrEqual(isFiltered ? mostFilterRounds : mostRounds)
  })

  it('of the system lists the processes with version, start and load, and those without a heartbeat', async () => {
    const { store } = server.services
    const { writer, clock } = store
    const load = { itemsPerMinute: 4321, cpuPermille: 370, memoryBytes: 123_000_000 }
    const record = { startedAt: clock(), origin: 'https://culvert.example', ...load }
    const late = { id: 'late', host: 'late.example', pid: 101, version: '1.2.2', ...record }
    await recordHeartbeat({ writer, clock: () => clock() - limits.heartbeatLateMs }, late)
    await recordHeartbeat(store, { ...late, id: 'alive', host: 'alive.example', pid: 102, version: '1.2.3' })
    await recordHeartbeat(store, { ...late, id: 'other', host: 'other.example', pid: 103 })
    const { html } = await open('/settings/system')
    const [, panel = ''] = /<section[^>]*id="processes"([^]*?)<\/section>/.exec(html) ?? []
    const text = panel.replaceAll(/<!--.*?-->|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(text).toContain('different versions')
    const figures = 'Started just now Items per minute 4,321 CPU 37% Memory 123 MB'
    expect(text).toContain(`Process alive.example , 102 Version 1.2.3 ${figures}`)
    expect(text).toContain(`Process other.example , 103 Version 1.2.2 ${figures}`)
    expect(text).toContain('Process late.example , 101 Version 1.2.2 Started just now Last seen just now')
  })

  it.each([
    ['the beginning of its id', () => eventId.slice(0, 12)],
    ['its id with dashes', () => eventId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase()],
    ['the digest that Next.js showed', () => '1135396959'],
    ['its trace', () => traceIdOf(59)],
  ])('links from %s to the event', async (_name, findCode) => {
    const response = await fetch(`${server.origin}/digest?q=${findCode()}`, {
      headers: { accept: 'text/html', cookie },
    })
    expect(new URL(response.url).pathname).toBe(`/events/${eventId}`)
    expect(await response.text()).toContain('Trouble 59')
  })

  it('has pages of issues, and a form that filters and sorts them', async () => {
    const { html } = await open('/issues')
    const [, next = ''] = /href="(\/issues\?[^"]*cursor=[^"]*)"/.exec(html) ?? []
    const later = await open(next.replaceAll('&amp;', '&'))
    expect([html, later.html].map((page) => page.match(/class="row-link"/g)?.length)).toEqual([50, 10])
    const [form = ''] = /<form[^>]*aria-label="Filters"[^]*?<\/form>/.exec(html) ?? []
    for (const name of ['q', 'project', 'environment', 'range', 'sort'])
      expect(form).toContain(`name="${name}"`)
  })

  it('links to the other periods of the monitors, with the same filters', async () => {
    const { html } = await open('/monitors?kind=cron&period=7d')
    const [links = ''] = /<nav[^>]*aria-label="Period"[^]*?<\/nav>/.exec(html) ?? []
    expect(links).toContain('href="/monitors?kind=cron"')
    expect(links).toContain('href="/monitors?kind=cron&amp;period=30d"')
  })

  it('explains why a trace has no spans, also on the page of its error', async () => {
    const traceId = 'e'.repeat(32)
    const header = { event_id: traceId, trace: { trace_id: traceId, sampled: 'false' } }
    const contexts = { trace: { trace_id: traceId, span_id: 'b'.repeat(16) } }
    const envelope = envelopeOf(header, ['event', { message: 'nothing led here', contexts }])
    await postEnvelope(server.origin, envelope, { project: otherProject })
    for (const path of [`/traces/${traceId}`, `/events/${traceId}`])
      expect((await open(path)).html).toContain('The SDK did not sample this trace')
    expect((await open(`/traces/${'f'.repeat(32)}`)).html).toContain('Check the trace ID')
  })

  it('shows when and why retention deleted an event', async () => {
    const { store } = server.services
    const sendEvent = async (message: string) => {
      const envelope = envelopeOf({}, ['event', { message }])
      const response = await postEnvelope(server.origin, envelope, { project: otherProject })
      return v.parse(v.object({ id: v.string() }), await response.json()).id
    }
    const deletedId = await sendEvent('the older one')
    await sendEvent('the newer one')
    await updateProjectSettings(store, 43, ({ retention }) => ({ retention: { ...retention, events: 1 } }))
    await runRetention({ store, maxBytes: 10 ** 12, disk: undefined, isClockTrusted: true })
    const path = `/digest/${deletedId.slice(0, 12)}`
    expect((await open(path)).html).toContain('The project was over its maximum number of events')
    expect(await findFewestRounds(() => open(path), mostRounds)).toBeLessThanOrEqual(mostRounds)
  })

  it('needs only the statements of the bell and of the banner if it reads nothing', async () => {
    // On PostgreSQL the session is verified again about once a second.
    await expect.poll(() => open('/digest')).toMatchObject({ status: 200, statementCount: 2, roundCount: 1 })
  })
})
