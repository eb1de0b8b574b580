import { expect, it } from 'vitest'
import { recordComment } from '#server/store/triage/comments.ts'
import { makeAlertRule } from '#test/alert-rule.ts'
import { findIssueId, mergeIssues, ofIssue, openKeptStore } from '#test/kept-store.ts'
import { testNow, testProjectIds } from '#test/test-store.ts'
import { addTestUser } from '#test/test-users.ts'
import { minuteMs } from '#time/time-steps.ts'
import { readIssueHistory, toLastKey } from './project-alerts.ts'

it('the history of an issue includes the comments and messages of those merged into it', async () => {
  const { store, receive } = await openKeptStore()
  for (const userId of ['ada', 'bob', 'cid']) addTestUser(store, { userId })
  await receive(ofIssue('a'), ofIssue('b'), ofIssue('c'))
  const idOf = (name: string) => findIssueId(store, name) ?? 0
  const [a, b, c] = [idOf('a'), idOf('b'), idOf('c')]
  for (const [issueId, userId] of [
    [a, 'ada'],
    [b, 'bob'],
    [c, 'cid'],
  ] as const)
    await recordComment(
      store,
      { issueId, projectIds: testProjectIds },
      { userId, at: testNow, text: 'Seen.' },
    )
  await store.writer
    .insertInto('alert_decisions')
    .values(
      [a, b, c].map((issueId, at) => ({
        project_id: 1,
        rule_id: 'r',
        kind: 'new',
        at: testNow,
        delivery_ids: '[]',
        notice: null,
        issue_id: issueId,
        transition_id: String(at),
        decided_at: testNow + at,
        result: 'sent',
        rule_set_id: null,
      })),
    )
    .execute()
  await mergeIssues(store, 'b', 'a')
  const rules = [{ rule: makeAlertRule({ throttleMs: minuteMs }) }]
  const history = await readIssueHistory(store.db, { projectId: 1, issueIds: [a], rules })
  expect(history.commenters.get(a)?.toSorted()).toEqual(['ada', 'bob'])
  expect([...history.lastSentAt]).toEqual([[toLastKey({ issueId: a }, 'r'), testNow + 1]])
  const other = await readIssueHistory(store.db, { projectId: 1, issueIds: [c], rules })
  expect([...other.commenters]).toEqual([[c, ['cid']]])
})
