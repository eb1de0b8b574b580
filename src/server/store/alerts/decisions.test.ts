import { describe, expect, it } from 'vitest'
import type { AlertRule } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { recordProjectDeletion } from '#server/store/projects/deleted.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { recordIssueStatus } from '#server/store/triage/status.ts'
import { hourMs } from '#time/time-steps.ts'
import {
  makeEventRecord,
  openTestStore,
  testId,
  testNow,
  testProjectIds,
  workOf,
} from '../../../../test/support/test-store.ts'
import { decideWaitingAlerts } from './decisions.ts'
import { listAlertRules, recordAlertRule } from './rules.ts'

const rule: AlertRule = {
  name: 'New and regressed',
  isEnabled: true,
  transitions: ['new', 'regressed', 'comment'],
  filters: [],
  throttleMs: 0,
}

const issueId = issueIdCandidate(1, testId('group'), 0)
const organizationId = 1

async function openAlerts(...rules: Partial<AlertRule>[]) {
  const store = await openTestStore()
  for (const changes of rules) await recordAlertRule(store, { organizationId, rule: { ...rule, ...changes } })
  const committer = createCommitter(store)
  const count = (table: string) =>
    Number(store.sqlite.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
  return {
    store,
    count,
    receive: (...names: string[]) =>
      committer.commit(
        workOf(
          ...names.map((name) => makeEventRecord({ eventId: testId(name), groupHash: testId('group') })),
        ),
      ),
    committer,
    list: () =>
      store.sqlite
        .prepare('SELECT kind, result FROM alert_decisions ORDER BY transition_id, rule_id')
        .all()
        .map((row) => `${String(row['kind'])} ${String(row['result'])}`),
  }
}

describe('transitions of issues', () => {
  it('of an organization without rules leave the queue without a decision', async () => {
    const { store, receive, list, count } = await openAlerts()
    await receive('a')
    expect(await decideWaitingAlerts(store, testNow)).toBe(1)
    expect([list(), count('alert_transitions')]).toEqual([[], 0])
  })

  it('are queued with the commit, once for an issue and not for its later events', async () => {
    const { receive, count } = await openAlerts({})
    await receive('a', 'b')
    await receive('c')
    expect(count('alert_transitions')).toBe(1)
  })

  it('are decided once, also by two processes', async () => {
    const { store, receive, list, count } = await openAlerts({}, {})
    const other = await store.openAgain()
    await receive('a')
    const counts = await Promise.all([
      decideWaitingAlerts(store, testNow),
      decideWaitingAlerts(other, testNow),
    ])
    expect(counts.toSorted()).toEqual([0, 1])
    expect(list()).toEqual(['new sent', 'new sent'])
    expect(count('alert_transitions')).toBe(0)
    expect(await decideWaitingAlerts(store, testNow)).toBe(0)
  })

  it('are regressions by events and comments by people, and not what a person does with the status', async () => {
    const { store, committer, list } = await openAlerts({})
    await committer.commit(workOf(makeEventRecord()))
    const selection = { issueIds: [issueId], projectIds: testProjectIds }
    const actor = { userId: 'ada', at: testNow + 1 }
    await recordIssueStatus(store, selection, { ...actor, change: { status: 'resolved' } })
    const at = { occurredAt: testNow + 2, receivedAt: testNow + 2 }
    await committer.commit(workOf(makeEventRecord({ eventId: testId('again'), ...at })))
    await recordComment(
      store,
      { issueId, projectIds: testProjectIds },
      { ...actor, at: testNow + 3, text: 'Hm' },
    )
    await decideWaitingAlerts(store, testNow + 4)
    expect(list()).toEqual(['new sent', 'regressed sent', 'comment sent'])
  })

  it('are matched by the tags and the release of their event', async () => {
    const { store, committer, list } = await openAlerts(
      { filters: [{ kind: 'tag', is: true, key: 'browser', value: 'Firefox' }] },
      { filters: [{ kind: 'release', is: false, value: 'web@1' }] },
    )
    await committer.commit(workOf(makeEventRecord({ tags: [['browser', 'Firefox']], release: 'web@1' })))
    await decideWaitingAlerts(store, testNow)
    expect(list()).toEqual(['new sent'])
  })

  it('are throttled by what the rule told before', async () => {
    const { store, receive, list } = await openAlerts({ throttleMs: hourMs })
    await receive('a')
    await decideWaitingAlerts(store, testNow)
    const comment = (at: number) =>
      recordComment(store, { issueId, projectIds: testProjectIds }, { userId: 'ada', at, text: 'Hm' })
    await comment(testNow + 1)
    await decideWaitingAlerts(store, testNow + 1)
    await comment(testNow + hourMs)
    await decideWaitingAlerts(store, testNow + hourMs)
    expect(list()).toEqual(['new sent', 'comment throttled', 'comment sent'])
  })

  it('of a deleted project leave its rules and nothing to decide', async () => {
    const { store, receive, list } = await openAlerts({})
    await recordAlertRule(store, { organizationId, projectId: 1, rule })
    await receive('a')
    await recordProjectDeletion(store, 1)
    expect(await decideWaitingAlerts(store, testNow)).toBe(0)
    expect(list()).toEqual([])
    expect((await listAlertRules(store.db)).map(({ projectId }) => projectId)).toEqual([undefined])
  })

  it('are decided in steps in a storm', async () => {
    const { store, committer, count } = await openAlerts({})
    const events = Array.from({ length: 1000 }, (_, at) =>
      makeEventRecord({ eventId: testId(`event ${at}`), groupHash: testId(`group ${at}`) }),
    )
    await committer.commit(workOf(...events))
    expect(await decideWaitingAlerts(store, testNow)).toBe(limits.alertsDecidedAtOnce)
    while ((await decideWaitingAlerts(store, testNow)) > 0);
    expect(count('alert_decisions')).toBe(1000)
  })
})
