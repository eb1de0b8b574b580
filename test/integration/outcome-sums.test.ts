import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { createProject } from '#server/store/projects/projects.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { openStore } from '#server/store/store.ts'
import { envelopeOf, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { startServerProcess } from '#test/server-process.ts'
import { fixtureProject } from '#test/start-server.ts'
import { countedOutcomes } from '#test/stored-events.ts'
import { makeTestFolder } from '#test/test-store.ts'

const { id } = fixtureProject

let dataDir: string
beforeEach(async () => {
  dataDir = await makeTestFolder()
})

const openOwnStore = () => openStore({ path: join(dataDir, 'culvert.db'), clock: Date.now })

type Item = [type: string, payload: unknown]

/** One item of every outcome: accepted, duplicate, filtered, invalid, unsupported, unknown, rate-limited. */
const makeItem = {
  event: (): Item => ['event', { event_id: randomEventId(), message: 'boom', level: 'error' }],
  sameEvent: (): Item => ['event', { event_id: 'c0ffee'.padEnd(32, '0'), message: 'once' }],
  noise: (): Item => [
    'event',
    { exception: { values: [{ type: 'Error', value: 'ResizeObserver loop limit exceeded' }] } },
  ],
  brokenEvent: (): Item => ['event', '{"message": '],
  listForEvent: (): Item => ['event', '[]'],
  deepEvent: (): Item => ['event', `{"extra":${'['.repeat(20_000)}`],
  transaction: (): Item => ['transaction', { event_id: randomEventId(), transaction: '/' }],
  session: (): Item => ['session', sessionOf(randomEventId())],
  sameSession: (): Item => ['session', sessionOf('5e55'.padEnd(32, '0'))],
  brokenSession: (): Item => ['session', { status: 'ok', started: new Date().toISOString() }],
  oldSession: (): Item => ['session', { ...sessionOf(randomEventId()), started: '2020-01-01T00:00:00Z' }],
  crawlerSession: (): Item => ['session', sessionOf(randomEventId(), 'Googlebot/2.1')],
  sessions: (): Item => [
    'sessions',
    { aggregates: [{ started: Date.now() / 1_000, exited: 3 }], attrs: { release: 'shop@1.0.0' } },
  ],
  checkIn: (): Item => ['check_in', { check_in_id: randomEventId(), status: 'ok' }],
  feedback: (): Item => [
    'feedback',
    { event_id: randomEventId(), contexts: { feedback: { message: 'It broke' } } },
  ],
  report: (): Item => ['user_report', { event_id: randomEventId(), comments: 'It broke' }],
  unknown: (): Item => ['a_new_kind', {}],
} satisfies Record<string, () => Item>

function sessionOf(sid: string, user_agent = 'Mozilla/5.0 Firefox/140.0') {
  return {
    sid,
    init: true,
    status: 'ok',
    started: new Date().toISOString(),
    attrs: { release: 'shop@1.0.0', user_agent },
  }
}

const kinds = Object.keys(makeItem) as (keyof typeof makeItem)[]
const envelopes = fc.array(fc.array(fc.constantFrom(...kinds), { maxLength: 6 }), {
  minLength: 60,
  maxLength: 60,
})

/** Sends everything, sixteen at a time, and returns the number of items. */
async function sendAll(origin: string, plans: (keyof typeof makeItem)[][]): Promise<number> {
  const waiting = [...plans]
  let itemCount = 0
  async function sendNext(): Promise<void> {
    for (let plan = waiting.pop(); plan !== undefined; plan = waiting.pop()) {
      const { status, headers } = await postEnvelope(
        origin,
        envelopeOf({}, ...plan.map((kind) => makeItem[kind]())),
      )
      expect([200, 429]).toContain(status)
      // On a busy machine some are rejected unread, in all categories: each counts as one, since its items
      // are unknown. Of others only traces are rejected.
      const isUnread = /\d::[^,]*overload/.test(headers.get('x-sentry-rate-limits') ?? '')
      itemCount += isUnread ? 1 : plan.length
    }
  }
  await Promise.all(Array.from({ length: 16 }, sendNext))
  return itemCount
}

it('every item has one outcome, across a restart and with rate limits', async () => {
  const prepared = await openOwnStore()
  await createProject(prepared, fixtureProject)
  await updateProjectSettings(prepared, id, ({ rateLimits }) => ({
    rateLimits: {
      ...rateLimits,
      project: {
        error: { quantity: 40, windowSeconds: 3_600 },
        session: { quantity: 20, windowSeconds: 3_600 },
      },
    },
  }))
  await prepared.close()

  let sentCount = 0
  for (const plans of fc.sample(envelopes, 2)) {
    const server = await startServerProcess({ dataDir })
    sentCount += await sendAll(server.origin, plans)
    expect(await server.end('SIGTERM')).toBe(0)
  }

  const store = await openOwnStore()
  const outcomes = await countedOutcomes(store, id)
  await store.close()
  expect(Object.values(outcomes).reduce((sum, quantity) => sum + quantity, 0)).toBe(sentCount)
  expect(Object.keys(outcomes)).toEqual(
    expect.arrayContaining([
      'error accepted',
      'error invalid duplicate',
      'error rate_limited project_limit',
      'session accepted',
      'session filtered web-crawlers',
      'session invalid timestamp',
      'session rate_limited project_limit',
    ]),
  )
})
