import { describe, expect, it } from 'vitest'
import type { AlertResult } from '#alerts/decide.ts'
import type { NotificationPreference } from '#alerts/preference.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import { parseDeliveryMessage } from '#server/store/alerts/deliveries/message.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { recordProjectDeletion } from '#server/store/projects/deleted.ts'
import type { Store } from '#server/store/store.ts'
import { recordAssignee } from '#server/store/triage/assignee.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import { recordIssueStatus } from '#server/store/triage/status.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { openAlertStore, opsRule } from '../../../../test/support/alert-store.ts'
import {
  makeEventRecord,
  testId,
  testNow,
  testProjectIds,
  workOf,
} from '../../../../test/support/test-store.ts'
import { decideWaitingAlerts } from './decisions.ts'
import { listLedger } from './ledger.ts'
import { parseRuleIds } from './rule-sets.ts'
import { listAlertRules, recordAlertRule } from './rules.ts'
import { compareThresholds } from './thresholds/thresholds.ts'

const rule: AlertRule = { ...opsRule, transitions: ['new', 'regressed', 'comment'] }

const issueId = issueIdCandidate(1, testId('group'), 0)
const organizationId = 1
const secondMs = minuteMs / 60

/** An alert store with preferences of its users. */
async function openAlerts({
  rules = [],
  users = [],
  preferences = [],
  hasMail = true,
}: {
  rules?: Partial<AlertRule>[]
  users?: string[]
  preferences?: (NotificationPreference & { userId: string })[]
  hasMail?: boolean
} = {}) {
  const { store } = await openAlertStore({ users, rules: rules.map((changes) => ({ ...rule, ...changes })) })
  for (const { projectId, userId, transition, way } of preferences)
    await store.writer
      .insertInto('notification_preferences')
      .values({ project_id: projectId, user_id: userId, transition, way })
      .execute()
  const committer = createCommitter(store)
  const decisionCounts = new Map<AlertResult, number>()
  const rows = (sql: string) => store.connection.prepare(sql).all()
  return {
    store,
    committer,
    count: (table: string) => Number(rows(`SELECT count(*) AS n FROM ${table}`)[0]?.['n']),
    /** Commits an event for each name, of an issue of that name unless it is given. */
    receive: (names: string[], issue?: string) =>
      committer.commit(
        workOf(
          ...names.map((name) =>
            makeEventRecord({ eventId: testId(name), groupHash: testId(issue ?? name) }),
          ),
        ),
      ),
    decisionCounts,
    decide: (now = testNow, by: Store = store) => decideWaitingAlerts(by, { now, hasMail, decisionCounts }),
    list: () =>
      rows(
        `SELECT d.*, s.rule_ids FROM alert_decisions d LEFT JOIN alert_rule_sets s
         ON s.project_id = d.project_id AND s.id = d.rule_set_id ORDER BY transition_id, rule_id`,
      ).flatMap((row) =>
        parseRuleIds({
          rule_id: '',
          rule_ids: row['rule_ids'] === null ? null : String(row['rule_ids']),
        }).map(() => `${String(row['kind'])} ${String(row['result'])}`),
      ),
    /** Each with its receiver, kind, number of transitions, and the delay in seconds. */
    deliveries: () =>
      rows('SELECT * FROM alert_deliveries ORDER BY created_at, due_at, id').map((row) => {
        const { kind, transitions, moreCount } = parseDeliveryMessage({
          kind: String(row['kind']),
          message: String(row['message']),
          transition_count: Number(row['transition_count']),
        })
        const delay = (Number(row['due_at']) - testNow) / secondMs
        const receiver = String(row['destination_id'] ?? row['user_id'])
        return `${receiver} ${kind} ${transitions.length + moreCount} at ${delay}`
      }),
    inbox: () =>
      rows('SELECT user_id, kind FROM inbox_items ORDER BY user_id, id').map(
        (row) => `${String(row['user_id'])} ${String(row['kind'])}`,
      ),
  }
}

const listAgain = (batch: number) => Array.from({ length: 1000 }, (_, at) => `again ${batch} ${at}`)
const selection = { issueIds: [issueId], projectIds: testProjectIds }
const comment = (store: Parameters<typeof recordComment>[0], userId: string, at: number) =>
  recordComment(store, { issueId, projectIds: testProjectIds }, { userId, at, text: 'Hm' })

describe('transitions of issues', () => {
  it('that no rule matches leave the queue without a decision', async () => {
    const { receive, decide, list, count } = await openAlerts()
    await receive(['a'])
    // The new issue, and the first event of the project.
    expect(await decide()).toBe(2)
    expect([list(), count('alert_transitions')]).toEqual([[], 0])
  })

  it('are queued with the commit, once for an issue and not for its later events', async () => {
    const { receive, count } = await openAlerts()
    await receive(['a', 'b'], 'group')
    await receive(['c'], 'group')
    expect(count('alert_transitions')).toBe(2)
  })

  it('are decided once, also by two processes', async () => {
    const { store, receive, decide, list, count } = await openAlerts({ rules: [{}, {}] })
    const other = await store.openAgain()
    await receive(['a'])
    const counts = await Promise.all([decide(), decide(testNow, other)])
    // The new issue, and the first event of the project.
    expect(counts.toSorted()).toEqual([0, 2])
    expect(list()).toEqual(['new sent', 'new sent'])
    expect(count('alert_transitions')).toBe(0)
    expect(await decide()).toBe(0)
  })

  it('are regressions by events and comments by users, but not status changes by users', async () => {
    const { store, committer, decide, list } = await openAlerts({ rules: [{}] })
    await committer.commit(workOf(makeEventRecord()))
    await recordIssueStatus(store, selection, {
      userId: 'ada',
      at: testNow + 1,
      change: { status: 'resolved' },
    })
    const at = { occurredAt: testNow + 2, receivedAt: testNow + 2 }
    await committer.commit(workOf(makeEventRecord({ eventId: testId('again'), ...at })))
    await comment(store, 'ada', testNow + 3)
    await decide(testNow + 4)
    expect(list().filter((each) => each.endsWith('sent'))).toEqual([
      'new sent',
      'regressed sent',
      'comment sent',
    ])
  })

  it('are matched by the tags, the release and the top in-app frame of their event', async () => {
    const { committer, decide, list } = await openAlerts({
      rules: [
        { filters: [{ kind: 'tag', is: true, key: 'browser', value: 'Firefox' }] },
        { filters: [{ kind: 'release', is: false, value: 'web@1' }] },
        { filters: [{ kind: 'path', is: true, value: 'checkout' }] },
        { filters: [{ kind: 'path', is: true, value: 'library' }] },
      ],
    })
    const traits = 'error.type\tTypeError\nstack.filename\tsrc/checkout/pay.ts\nstack.filename\tlibrary.js'
    await committer.commit(
      workOf(makeEventRecord({ tags: [['browser', 'Firefox']], release: 'web@1', traits })),
    )
    await decide()
    expect(list()).toEqual(['new sent', 'new sent'])
  })

  it("are throttled by the rule's earlier messages, also within one step", async () => {
    const { store, committer, decide, list } = await openAlerts({
      rules: [{ throttleMs: hourMs, actions: [{ kind: 'destination', id: 'ops' }] }],
    })
    await committer.commit(workOf(makeEventRecord()))
    await comment(store, 'ada', testNow + 1)
    await decide(testNow + 2)
    await comment(store, 'ada', testNow + 3)
    await decide(testNow + 3)
    await comment(store, 'ada', testNow + hourMs)
    await decide(testNow + hourMs + 2)
    expect(list().filter((each) => !each.endsWith('receiver'))).toEqual([
      'new sent',
      'comment throttled',
      'comment throttled',
      'comment sent',
    ])
  })

  it('of a deleted project are dropped, and its rules stay', async () => {
    const { store, receive, decide, list } = await openAlerts({ rules: [{}] })
    await recordAlertRule(store, { organizationId, projectId: 1, rule })
    await receive(['a'])
    await recordProjectDeletion(store, 1)
    expect(await decide()).toBe(0)
    expect(list()).toEqual([])
    expect((await listAlertRules(store.db, 1)).map(({ projectId }) => projectId)).toEqual([undefined])
  })

  it('of an issue that was merged meanwhile are those of the issue it is part of', async () => {
    const { store, receive, decide } = await openAlerts({ rules: [{}] })
    await receive(['a', 'b'])
    const [one, other] = ['a', 'b'].map((name) => issueIdCandidate(1, testId(name), 0))
    await recordMerge(
      store,
      { issueIds: [one ?? 0, other ?? 0], projectIds: testProjectIds },
      { userId: 'ada', at: testNow, intoId: one },
    )
    await decide()
    const rows = store.connection.prepare('SELECT issue_id FROM alert_decisions').all()
    expect(rows.map((row) => Number(row['issue_id']))).toEqual([one, one])
  })

  it('are decided in steps in a storm', async () => {
    const { receive, decide, count } = await openAlerts({ rules: [{}] })
    await receive(Array.from({ length: 1000 }, (_, at) => `event ${at}`))
    expect(await decide()).toBe(limits.alertsDecidedAtOnce)
    while ((await decide()) > 0);
    expect(count('alert_decisions')).toBe(1000)
  })
})

describe('receivers', () => {
  it('of a rule are its members and destinations, and each gets one message for all rules', async () => {
    const actions: AlertRule['actions'] = [{ kind: 'members' }, { kind: 'destination', id: 'ops' }]
    const { receive, decide, deliveries, inbox, count } = await openAlerts({
      rules: [{ actions }, { actions }, { actions: [{ kind: 'person', id: 'eve' }] }],
      users: ['ada', 'bob'],
    })
    await receive(['a'])
    await decide()
    // The first two decide the same for the same receivers.
    expect(count('alert_decisions')).toBe(2)
    expect(deliveries().toSorted()).toEqual(['ada issues 1 at 0', 'bob issues 1 at 0', 'ops issues 1 at 0'])
    expect(inbox()).toEqual(['ada new', 'bob new'])
  })

  it('are named in the ledger, and a rule without receivers is reported', async () => {
    const { store, receive, decide } = await openAlerts({
      rules: [{}, { actions: [{ kind: 'person', id: 'eve' }] }],
    })
    await receive(['a'])
    await decide()
    const rows = store.connection
      .prepare('SELECT result, delivery_ids FROM alert_decisions ORDER BY result')
      .all()
    const [delivery] = store.connection.prepare('SELECT id FROM alert_deliveries').all()
    expect(rows.map((row) => [row['result'], row['delivery_ids']])).toEqual([
      ['no_receiver', '[]'],
      ['sent', JSON.stringify([delivery?.['id']])],
    ])
  })

  it('get what they have selected: inbox, digest or nothing', async () => {
    const { receive, decide, deliveries, inbox } = await openAlerts({
      rules: [{ actions: [{ kind: 'members' }] }],
      users: ['ada', 'bob', 'eve'],
      preferences: [
        { userId: 'ada', projectId: 0, transition: 'new', way: 'inbox' },
        { userId: 'bob', projectId: 0, transition: 'new', way: 'digest' },
        { userId: 'eve', projectId: 1, transition: 'any', way: 'none' },
      ],
    })
    await receive(['a'])
    await decide()
    expect(inbox()).toEqual(['ada new', 'bob new'])
    expect(deliveries()).toEqual([`bob digest 1 at ${limits.alertDigestMs / secondMs}`])
  })

  it('get mails of a project in their own way, and no transition that they do not want', async () => {
    const { receive, decide, deliveries, inbox } = await openAlerts({
      rules: [{ actions: [{ kind: 'members' }] }],
      users: ['ada', 'bob', 'eve', 'dan', 'joe'],
      preferences: [
        { userId: 'ada', projectId: 1, transition: 'any', way: 'digest' },
        { userId: 'bob', projectId: 0, transition: 'new', way: 'digest' },
        { userId: 'bob', projectId: 1, transition: 'any', way: 'email' },
        { userId: 'eve', projectId: 0, transition: 'new', way: 'none' },
        { userId: 'eve', projectId: 1, transition: 'any', way: 'email' },
        { userId: 'dan', projectId: 0, transition: 'new', way: 'inbox' },
        { userId: 'dan', projectId: 1, transition: 'any', way: 'digest' },
        { userId: 'joe', projectId: 1, transition: 'any', way: 'inbox' },
      ],
    })
    await receive(['a'])
    await decide()
    expect(inbox()).toEqual(['ada new', 'bob new', 'dan new', 'joe new'])
    expect(deliveries().toSorted()).toEqual([
      `ada digest 1 at ${limits.alertDigestMs / secondMs}`,
      'bob issues 1 at 0',
    ])
  })

  it('get everything in the inbox without a mail server', async () => {
    const { receive, decide, deliveries, inbox } = await openAlerts({
      rules: [{ actions: [{ kind: 'members' }] }],
      users: ['ada'],
      hasMail: false,
    })
    await receive(['a'])
    await decide()
    expect([inbox(), deliveries()]).toEqual([['ada new'], []])
  })

  it('of an assignment and of comments are the participants of the issue, except the author', async () => {
    const { store, committer, decide, inbox } = await openAlerts({ users: ['ada', 'bob', 'eve'] })
    await committer.commit(workOf(makeEventRecord()))
    await recordAssignee(store, selection, { userId: 'ada', at: testNow, assigneeId: 'bob' })
    await comment(store, 'eve', testNow + 1)
    await comment(store, 'bob', testNow + 2)
    await decide()
    expect(inbox()).toEqual(['bob assigned', 'bob comment', 'eve comment'])
    await recordAssignee(store, selection, { userId: 'eve', at: testNow + 3, assigneeId: 'eve' })
    await decide(testNow + 3)
    expect(inbox()).toHaveLength(3)
  })
})

describe('messages', () => {
  it('are sent at once, then grouped: a receiver gets one per project in 30 seconds', async () => {
    const { store, receive, decide, deliveries } = await openAlerts({ rules: [{}] })
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

  it('of quiet hours are sent as one at their end, while the inbox has them at once', async () => {
    const quietHours = { from: '12:00', to: '13:00', timeZone: 'UTC', lettingFatal: true }
    const actions: AlertRule['actions'] = [{ kind: 'destination', id: 'ops' }, { kind: 'members' }]
    const { store, committer, receive, decide, deliveries, inbox, list } = await openAlerts({
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
      workOf(makeEventRecord({ eventId: testId('f'), groupHash: testId('f'), level: 'fatal' })),
    )
    await decide(testNow + 29 * minuteMs)
    expect(deliveries()).toContain('ops issues 1 at 1740')
    await receive(['awake'])
    await decide(testNow + 30 * minuteMs)
    expect(deliveries()).toEqual(['ops quiet 3 at 1800', 'ops issues 1 at 1740', 'ops issues 1 at 1800'])
  })

  it('of a lasting storm are a few, then a summary and digests, and again single ones after it', async () => {
    const { store, receive, decide, deliveries } = await openAlerts({ rules: [{}] })
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
    const { store, committer, receive, decide, deliveries, decisionCounts } = await openAlerts({
      rules: [...Array.from({ length: 49 }, () => ({})), { transitions: ['threshold'], threshold }],
    })
    await receive(Array.from({ length: 1000 }, (_, at) => `event ${at}`))
    for (let batch = 0; batch < 10; batch += 1) await receive(listAgain(batch), 'event 0')
    while ((await decide()) > 0);
    // One transaction decides as many as fit, and they are sent together; the rest is one message.
    const counted = () => `${deliveries().length} messages about ${sumTransitions(deliveries())}`
    expect(counted()).toBe('2 messages about 1000')
    // Counters of so many events are written as deltas first.
    await committer.drain()
    for (const turns of [new Map(), new Map()]) await compareThresholds(store, { now: testNow, turns })
    while ((await decide()) > 0);
    expect(counted()).toBe('2 messages about 1001')
    // Those of 49 rules about each new issue, and the one of the threshold.
    expect([...decisionCounts]).toEqual([['sent', 49_001]])
  }, 60_000)
})

/** Newest first. */
async function ledgerResults({ db }: Store): Promise<string[]> {
  return (await listLedger(db, { projectIds: [1], since: 0 })).map(({ result }) => result)
}

/** Transitions of messages, without the summaries that announce a digest. */
function sumTransitions(deliveries: readonly string[]): number {
  const numbers = deliveries.map((each) => (each.includes('storm') ? 0 : Number(each.split(' ')[2])))
  return numbers.reduce((sum, each) => sum + each, 0)
}
