import { describe, expect, it } from 'vitest'
import type { AlertRule } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import { ledgerResults, openDecidingAlerts } from '#test/deciding-alerts.ts'
import { makeEventRecord, testId, testNow, entryOf } from '#test/test-store.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { listLedger } from './ledger.ts'
import { compareThresholds } from './thresholds/thresholds.ts'

const secondMs = minuteMs / 60
const listAgain = (batch: number) => Array.from({ length: 1000 }, (_, at) => `again ${batch} ${at}`)

describe('messages', () => {
  it('are sent immediately, then grouped: a receiver gets one per project in 30 seconds', async () => {
    const { store, receive, decide, deliveries } = await openDecidingAlerts({ rules: [{}] })
    await receive(['a', 'b'])
    await decide()
    for (const seconds of [1, 10, 29]) {
      await receive([`at ${seconds}`])
      await decide(testNow + seconds * secondMs)
    }
    await receive(['later'])
    await decide(testNow + 2 * minuteMs)
    expect(deliveries()).toEqual(['ops issues 2 at 0', 'ops issues 3 at 30', 'ops issues 1 at 120'])
    expect(await ledgerResults(store)).toEqual(['sent', ...Array.from({ length: 5 }, () => 'grouped')])
  })

  it('in quiet hours are sent as one at their end, while the inbox receives them immediately', async () => {
    const quietHours = { from: '12:00', to: '13:00', timeZone: 'UTC', lettingFatal: true }
    const actions: AlertRule['actions'] = [{ kind: 'destination', id: 'ops' }, { kind: 'members' }]
    const { store, committer, receive, decide, deliveries, inbox, list } = await openDecidingAlerts({
      rules: [{ quietHours, actions }],
      users: ['ada'],
      preferences: [{ userId: 'ada', projectId: 0, transition: 'new', way: 'inbox' }],
    })
    for (const minutes of [0, 10, 29]) {
      await receive([`at ${minutes}`])
      await decide(testNow + minutes * minuteMs)
    }
    expect(list()).toEqual(['new quiet_hours', 'new quiet_hours', 'new quiet_hours'])
    expect(deliveries()).toEqual(['ops quiet 3 at 1800'])
    expect(inbox()).toEqual(['ada new', 'ada new', 'ada new'])
    const entries = await listLedger(store.db, { projectIds: [1], since: 0 })
    expect(entries.map((entry) => [entry.inboxCount, entry.deliveries[0]?.kind])).toEqual([
      [1, 'quiet'],
      [1, 'quiet'],
      [1, 'quiet'],
    ])
    await committer.commit(
      entryOf(makeEventRecord({ eventId: testId('f'), groupHash: testId('f'), level: 'fatal' })),
    )
    await decide(testNow + 29 * minuteMs)
    expect(deliveries()).toContain('ops issues 1 at 1740')
    await receive(['awake'])
    await decide(testNow + 30 * minuteMs)
    expect(deliveries()).toEqual(['ops quiet 3 at 1800', 'ops issues 1 at 1740', 'ops issues 1 at 1800'])
  })

  it('in a long storm are a few, then a summary and digests, and single ones again after it', async () => {
    const { store, receive, decide, deliveries } = await openDecidingAlerts({ rules: [{}] })
    for (let at = 0; at < 25 * 60; at += 20) {
      await receive([`at ${at}`])
      await decide(testNow + at * secondMs)
    }
    const during = deliveries()
    expect(during.filter((each) => each.includes('issues'))).toHaveLength(limits.alertStormCount)
    expect(during.filter((each) => each.includes('storm'))).toHaveLength(1)
    const digests = during.filter((each) => each.includes('digest'))
    expect(digests).toHaveLength(3)
    expect(sumTransitions(during)).toBe(75)
    const results = await ledgerResults(store)
    const heldCount = results.filter((each) => each === 'storm').length
    expect([heldCount, new Set(results)]).toEqual([
      sumTransitions(digests),
      new Set(['sent', 'grouped', 'storm']),
    ])
    await receive(['after'])
    await decide(testNow + hourMs)
    expect(deliveries().at(-1)).toBe('ops issues 1 at 3600')
  })

  // The storm of test/faults/alert-storm.slow.test.ts, without its minute and with a tenth of its events.
  it('of 1,000 new issues, 10,000 events of one of them and 50 rules are two messages with the counts', async () => {
    const threshold = { of: 'events', atLeast: 500, unit: 'count', windowMs: 5 * minuteMs } as const
    const { store, committer, receive, decide, deliveries, decisionCounts } = await openDecidingAlerts({
      rules: [...Array.from({ length: 49 }, () => ({})), { transitions: ['threshold'], threshold }],
    })
    await receive(Array.from({ length: 1000 }, (_, at) => `event ${at}`))
    for (let batch = 0; batch < 10; batch += 1) await receive(listAgain(batch), 'event 0')
    while ((await decide()) > 0);
    // One transaction decides as many as allowed, and they are sent together; the rest is one message.
    const counted = () => `${deliveries().length} messages about ${sumTransitions(deliveries())}`
    expect(counted()).toBe('2 messages about 1000')
    // Counters of so many events are written as deltas first.
    await committer.drain()
    for (const lastRuns of [new Map(), new Map()]) await compareThresholds(store, { now: testNow, lastRuns })
    while ((await decide()) > 0);
    expect(counted()).toBe('2 messages about 1001')
    // The decisions of 49 rules about each new issue, and the one of the threshold.
    expect([...decisionCounts]).toEqual([['sent', 49_001]])
  }, 60_000)
})

/** Transitions in messages, without the summaries that announce a digest. */
function sumTransitions(deliveries: readonly string[]): number {
  const numbers = deliveries.map((each) => (each.includes('storm') ? 0 : Number(each.split(' ')[2])))
  return numbers.reduce((sum, each) => sum + each, 0)
}
