import { describe, expect, it } from 'vitest'
import type { AlertRule } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { ProjectFailures } from '#server/store/project-failures.ts'
import { recordProjectDeletion } from '#server/store/projects/deleted.ts'
import type { Store } from '#server/store/store.ts'
import { recordAssignee } from '#server/store/triage/assignee.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import { recordIssueStatus } from '#server/store/triage/status.ts'
import { decidedRule, openDecidingAlerts } from '#test/deciding-alerts.ts'
import { makeEventRecord, testId, testNow, testProjectIds, entryOf } from '#test/test-store.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { decideWaitingAlerts } from './decisions.ts'
import { dropOldTransitions } from './queue.ts'
import { listAlertRules, recordAlertRule } from './rules.ts'

const issueId = issueIdCandidate(1, testId('group'), 0)
const organizationId = 1
const secondMs = minuteMs / 60

const selection = { issueIds: [issueId], projectIds: testProjectIds }
const comment = (store: Parameters<typeof recordComment>[0], userId: string, at: number) =>
  recordComment(store, { issueId, projectIds: testProjectIds }, { userId, at, text: 'Hm' })

/** Decisions of a process that are written only when `write` is called. */
class PausedDecision extends ProjectFailures {
  private readonly made = Promise.withResolvers<void>()
  private readonly continued = Promise.withResolvers<void>()
  private readonly written: Promise<number>

  constructor(store: Store, now: number) {
    super((error) => {
      throw error
    })
    this.written = decideWaitingAlerts(store, { now, hasMail: true, failures: this })
  }

  get isMade(): Promise<void> {
    return this.made.promise
  }

  write(): Promise<number> {
    this.continued.resolve()
    return this.written
  }

  override async attempt<Result>(projectId: number, work: () => Promise<Result>) {
    const result = await super.attempt(projectId, work)
    this.made.resolve()
    await this.continued.promise
    return result
  }
}

it('the oldest transitions beyond the limit are dropped, of one project only', async () => {
  const { store } = await openDecidingAlerts()
  const dropped = limits.alertTransitionsDroppedAtOnce + 1
  for (const [projectId, count] of [
    [1, limits.alertTransitionsKept + dropped],
    [2, 3],
  ])
    store.connection.exec(`INSERT INTO alert_transitions (project_id, id, issue_id, kind, at, detail)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      SELECT ${projectId}, 'id ' || (100000 + i), 1, 'new', 0, '{}' FROM n`)
  expect([await dropOldTransitions(store, 1), await dropOldTransitions(store, 1)]).toEqual([dropped, 0])
  expect(await dropOldTransitions(store, 2)).toBe(0)
  const rows = store.connection
    .prepare(
      'SELECT project_id, count(*) AS n, min(id) AS oldest FROM alert_transitions GROUP BY 1 ORDER BY 1',
    )
    .all()
  expect(rows).toMatchObject([
    { n: limits.alertTransitionsKept, oldest: `id ${100_000 + dropped + 1}` },
    { n: 3, oldest: 'id 100001' },
  ])
})

describe('transitions of issues', () => {
  it('that no rule matches leave the queue without a decision', async () => {
    const { receive, decide, list, count } = await openDecidingAlerts()
    await receive(['a'])
    // The new issue, and the first event of the project.
    expect(await decide()).toBe(2)
    expect([list(), count('alert_transitions')]).toEqual([[], 0])
  })

  it('are queued with the commit, once for an issue and not for its later events', async () => {
    const { receive, count } = await openDecidingAlerts()
    await receive(['a', 'b'], 'group')
    await receive(['c'], 'group')
    expect(count('alert_transitions')).toBe(2)
  })

  it('are decided once, also by two processes', async () => {
    const { store, receive, decide, list, count } = await openDecidingAlerts({ rules: [{}, {}] })
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
    const { store, committer, decide, list } = await openDecidingAlerts({ rules: [{}] })
    await committer.commit(entryOf(makeEventRecord()))
    await recordIssueStatus(store, selection, {
      userId: 'ada',
      at: testNow + 1,
      change: { status: 'resolved' },
    })
    const at = { occurredAt: testNow + 2, receivedAt: testNow + 2 }
    await committer.commit(entryOf(makeEventRecord({ eventId: testId('again'), ...at })))
    await comment(store, 'ada', testNow + 3)
    await decide(testNow + 4)
    expect(list().filter((each) => each.endsWith('sent'))).toEqual([
      'new sent',
      'regressed sent',
      'comment sent',
    ])
  })

  it('are matched by the tags, the release and the top in-app frame of their event', async () => {
    const { committer, decide, list } = await openDecidingAlerts({
      rules: [
        { filters: [{ kind: 'tag', is: true, key: 'browser', value: 'Firefox' }] },
        { filters: [{ kind: 'release', is: false, value: 'web@1' }] },
        { filters: [{ kind: 'path', is: true, value: 'checkout' }] },
        { filters: [{ kind: 'path', is: true, value: 'library' }] },
      ],
    })
    const traits = 'error.type\tTypeError\nstack.filename\tsrc/checkout/pay.ts\nstack.filename\tlibrary.js'
    await committer.commit(
      entryOf(makeEventRecord({ tags: [['browser', 'Firefox']], release: 'web@1', traits })),
    )
    await decide()
    expect(list()).toEqual(['new sent', 'new sent'])
  })

  it("are throttled by the rule's earlier messages, also within one step", async () => {
    const { store, committer, decide, list } = await openDecidingAlerts({
      rules: [{ throttleMs: hourMs, actions: [{ kind: 'destination', id: 'ops' }] }],
    })
    await committer.commit(entryOf(makeEventRecord()))
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

  it('are throttled by a message that another process sends before they are written', async () => {
    const { store, committer, decide, list } = await openDecidingAlerts({
      rules: [
        { transitions: ['comment'], throttleMs: hourMs, actions: [{ kind: 'destination', id: 'ops' }] },
      ],
    })
    await committer.commit(entryOf(makeEventRecord()))
    await decide()
    await comment(store, 'ada', testNow + 20)
    const one = new PausedDecision(store, testNow + 30)
    await one.isMade
    await comment(store, 'ada', testNow + 10)
    const other = new PausedDecision(await store.openAgain(), testNow + 30)
    await other.isMade
    expect([await one.write(), await other.write()]).toEqual([1, 0])
    await decide(testNow + 40)
    expect(list().filter((each) => !each.endsWith('receiver'))).toEqual(['comment throttled', 'comment sent'])
  })

  it('of a deleted project are dropped, and its rules stay', async () => {
    const { store, receive, decide, list } = await openDecidingAlerts({ rules: [{}] })
    await recordAlertRule(store, { organizationId, projectId: 1, rule: decidedRule })
    await receive(['a'])
    await recordProjectDeletion(store, 1)
    expect(await decide()).toBe(0)
    expect(list()).toEqual([])
    expect((await listAlertRules(store.db, 1)).map(({ projectId }) => projectId)).toEqual([undefined])
  })

  it('of an issue that was merged meanwhile are those of the issue it is part of', async () => {
    const { store, receive, decide } = await openDecidingAlerts({ rules: [{}] })
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
    const { receive, decide, count } = await openDecidingAlerts({ rules: [{}] })
    await receive(Array.from({ length: 1000 }, (_, at) => `event ${at}`))
    expect(await decide()).toBe(limits.alertsDecidedAtOnce)
    while ((await decide()) > 0);
    expect(count('alert_decisions')).toBe(1000)
  })
})

describe('receivers', () => {
  it('of a rule are its members and destinations, and each gets one message for all rules', async () => {
    const actions: AlertRule['actions'] = [{ kind: 'members' }, { kind: 'destination', id: 'ops' }]
    const { receive, decide, deliveries, inbox, count } = await openDecidingAlerts({
      rules: [{ actions }, { actions }, { actions: [{ kind: 'person', id: 'eve' }] }],
      users: ['ada', 'bob'],
    })
    await receive(['a'])
    await decide()
    // The first two rules decide the same for the same receivers.
    expect(count('alert_decisions')).toBe(2)
    expect(deliveries().toSorted()).toEqual(['ada issues 1 at 0', 'bob issues 1 at 0', 'ops issues 1 at 0'])
    expect(inbox()).toEqual(['ada new', 'bob new'])
  })

  it('are named in the ledger, and a rule without receivers is reported', async () => {
    const { store, receive, decide } = await openDecidingAlerts({
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
    const { receive, decide, deliveries, inbox } = await openDecidingAlerts({
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

  it('get mails of a project by their own settings, and no unwanted transitions', async () => {
    const { receive, decide, deliveries, inbox } = await openDecidingAlerts({
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
    const { receive, decide, deliveries, inbox } = await openDecidingAlerts({
      rules: [{ actions: [{ kind: 'members' }] }],
      users: ['ada'],
      hasMail: false,
    })
    await receive(['a'])
    await decide()
    expect([inbox(), deliveries()]).toEqual([['ada new'], []])
  })

  it('of an assignment and of comments are the participants of the issue, except the author', async () => {
    const { store, committer, decide, inbox } = await openDecidingAlerts({ users: ['ada', 'bob', 'eve'] })
    await committer.commit(entryOf(makeEventRecord()))
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
