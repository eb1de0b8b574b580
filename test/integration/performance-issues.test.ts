import { afterAll, beforeEach, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'
import { countedOutcomes, storedEventIds } from '#test/stored-events.ts'

const { id } = fixtureProject

const server = await startServer()
/** The bound is per minute: another one begins. That of the clock may end at any time in a test, too. */
function passMinute(): void {
  server.services.ingestState.problemPace.take({ projectId: 0, fingerprint: '', eventId: '', at: 0 })
}
beforeEach(passMinute)
afterAll(() => server.stop())

let traceCount = 0

/** A request whose query ran for each of `count` rows of another one, of 20 ms each. */
function requestOf({ table = 'items', count = 6 } = {}): object {
  traceCount += 1
  const traceId = traceCount.toString(16).padStart(32, 'a')
  const at = Date.now() / 1000 - 2
  const span = (number: number, description: string) => ({
    trace_id: traceId,
    span_id: number.toString(16).padStart(16, '0'),
    parent_span_id: 'f'.repeat(16),
    op: 'db',
    description,
    start_timestamp: at + number * 0.02,
    timestamp: at + number * 0.02 + 0.02,
  })
  return {
    type: 'transaction',
    transaction: `GET /orders/${traceCount}`,
    platform: 'node',
    release: 'orders@1',
    start_timestamp: at,
    timestamp: at + 1,
    user: { id: String(traceCount) },
    contexts: { trace: { trace_id: traceId, span_id: 'f'.repeat(16), op: 'http.server' } },
    spans: [
      span(1, 'SELECT * FROM orders'),
      ...Array.from({ length: count }, (_, row) => span(row + 2, `SELECT * FROM ${table} WHERE id = ${row}`)),
    ],
  }
}

async function send(...transactions: object[]): Promise<void> {
  for (const transaction of transactions) {
    const answer = await postEnvelope(
      server.origin,
      `{}\n{"type":"transaction"}\n${JSON.stringify(transaction)}\n`,
    )
    expect(answer.status).toBe(200)
  }
}

const eventCount = async () => (await storedEventIds(server.services.store, id)).length

function listIssues() {
  return server.services.store.db
    .selectFrom('issues')
    .select(['title', 'subtitle', 'type', 'level', 'culprit', 'last_release'])
    .where('project_id', '=', id)
    .orderBy('id')
    .execute()
}

it('a problem is an issue once its trace is answered, one issue for all its traces', async () => {
  await send(requestOf())
  passMinute()
  await send(requestOf(), requestOf({ count: 3 }))
  expect(await listIssues()).toEqual([
    {
      title: 'N+1 Query',
      subtitle: 'SELECT * FROM items WHERE id = %s',
      type: 'performance',
      level: 'info',
      culprit: 'GET /orders/*',
      last_release: 'orders@1',
    },
  ])
  expect(await eventCount()).toBe(2)
})

it('a transaction that is sent twice creates one event, and its trace is still kept as one with an error', async () => {
  const before = await eventCount()
  const transaction = requestOf()
  await send(transaction)
  passMinute()
  await send(transaction)
  expect(await eventCount()).toBe(before + 1)
  expect(await countedOutcomes(server.services.store, id)).toMatchObject({ 'error invalid duplicate': 1 })
})

it('a flood of traces creates one event per minute and problem, for few problems', async () => {
  const before = await eventCount()
  await send(...Array.from({ length: 6 }, () => requestOf()))
  expect(await eventCount()).toBeLessThanOrEqual(before + 2)
  const others = Array.from({ length: 3 * limits.problemsPerMinute }, (_, at) =>
    // Digits in names are no part of a text.
    requestOf({ table: `t_${'x'.repeat(at)}` }),
  )
  await send(...others)
  expect(await eventCount()).toBeLessThanOrEqual(before + 2 + 2 * limits.problemsPerMinute)
})

it('settings of the project change thresholds, and disable the detection', async () => {
  const { store, projectKeys } = server.services
  const before = await eventCount()
  const change = async (count: number, isOn: boolean) => {
    await updateProjectSettings(store, id, ({ performanceIssues }) => ({
      performanceIssues: { ...performanceIssues, nPlusOneQueries: { isOn, count, totalMs: 1 } },
    }))
    await projectKeys.refresh()
  }
  await change(7, true)
  await send(requestOf())
  await change(2, false)
  await send(requestOf())
  expect(await eventCount()).toBe(before)
  await change(2, true)
  await send(requestOf({ count: 2 }))
  expect(await eventCount()).toBe(before + 1)
})
