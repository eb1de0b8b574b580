import type * as v from 'valibot'
import type { IssueSummary } from '#server/store/issues/records.ts'
import type { ActivityChange, ActivityEntry } from '#server/store/triage/records.ts'
import type { ReopenCondition } from '#server/store/triage/reopen-condition.ts'
import type { activityAnswer } from './answer.ts'
import { toConditionJson } from './condition-json.ts'

type ActivityAnswer = v.InferOutput<typeof activityAnswer>

/** Converts the activity of an issue to that of Sentry's API: newest first, down to the first event. */
export function toActivityJson(activity: readonly ActivityEntry[], issue: IssueSummary): ActivityAnswer[] {
  const firstSeen = { id: '0', type: 'first_seen', dateCreated: iso(issue.firstSeenAt), user: null, data: {} }
  return [...activity.toReversed().map((entry) => toEntryJson(entry, issue)), firstSeen]
}

function toEntryJson(entry: ActivityEntry, issue: IssueSummary): ActivityAnswer {
  const { id, at, by } = entry
  const user = by === undefined ? null : { id: by.userId, name: by.name ?? '' }
  return { id, ...toChangeJson(entry, issue), dateCreated: iso(at), user }
}

/** Under Sentry's names; changes that Sentry does not have keep Culvert's. */
function toChangeJson(change: ActivityChange, issue: IssueSummary): Pick<ActivityAnswer, 'type' | 'data'> {
  switch (change.kind) {
    case 'status':
      return toStatusJson(change, issue)
    case 'assigned': {
      const { assignee } = change
      if (assignee === undefined) return { type: 'unassigned', data: {} }
      return {
        type: 'assigned',
        data: { assignee: assignee.userId, assigneeType: 'user', assigneeName: assignee.name ?? '' },
      }
    }
    case 'comment':
      return { type: 'note', data: { text: change.text } }
    case 'regressed':
      return { type: 'set_regression', data: { version: change.release ?? null } }
    case 'reopened': {
      const type = change.reason === 'escalation' ? 'set_escalating' : 'set_unresolved'
      return { type, data: { reason: change.reason } }
    }
    case 'merged':
    case 'unmerged':
      return {
        type: change.kind === 'merged' ? 'merge' : 'unmerge_source',
        data: { issues: change.issues.map(({ issueId, title }) => ({ id: issueId, title })) },
      }
    case 'merged_into':
    case 'unmerged_from':
      return {
        type: change.kind === 'merged_into' ? 'merge' : 'unmerge_destination',
        data: { destination: { id: change.issue.issueId, title: change.issue.title } },
      }
    case 'linked':
      return { type: 'create_issue', data: { label: change.link.name, location: change.link.url } }
    case 'unlinked':
    case 'link_closed':
    case 'link_reopened':
      return { type: change.kind, data: { label: change.link.name, location: change.link.url } }
    case 'undone':
  }
  return { type: 'undone', data: {} }
}

function toStatusJson(
  { status, reopenCondition, commit }: Extract<ActivityChange, { kind: 'status' }>,
  issue: IssueSummary,
): Pick<ActivityAnswer, 'type' | 'data'> {
  if (status === 'unresolved') return { type: 'set_unresolved', data: {} }
  if (status === 'archived')
    return {
      type: 'set_ignored',
      data: { ...toConditionJson({ ...issue, reopenCondition }), ...toSetCounts(reopenCondition) },
    }
  if (commit !== undefined)
    return { type: 'set_resolved_in_commit', data: { commit: { id: commit.id, message: commit.subject } } }
  switch (reopenCondition?.kind) {
    case 'release':
      return { type: 'set_resolved_in_release', data: { version: reopenCondition.release } }
    case 'next_release':
      return { type: 'set_resolved_in_release', data: { version: '' } }
    case 'archive':
    case undefined:
  }
  return { type: 'set_resolved', data: {} }
}

/** The counts as the user set them; none in an entry of an earlier version, which has only totals. */
function toSetCounts(condition: ReopenCondition | undefined) {
  if (condition?.kind !== 'archive') return {}
  const { moreEvents, moreUsers } = condition
  return {
    ...(moreEvents !== undefined && { ignoreCount: moreEvents }),
    ...(moreUsers !== undefined && { ignoreUserCount: moreUsers }),
  }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
