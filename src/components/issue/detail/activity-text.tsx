import { Link } from '@tanstack/react-router'
import { personName } from '#components/issue/person-name.ts'
import { ReopenConditionText } from '#components/issue/reopen-condition-text.tsx'
import type { IssueStatus } from '#server/store/issues/records.ts'
import type { ActivityEntry, IssueName, ReopenReason } from '#server/store/triage/records.ts'

const verbs: Record<IssueStatus, string> = {
  unresolved: 'reopened it',
  resolved: 'resolved it',
  archived: 'archived it',
}

const reasons: Record<ReopenReason, string> = {
  time: 'its time is over',
  events: 'it has had that many events',
  users: 'it has had that many users',
  escalation: 'it escalated',
}

/** What somebody did, as the end of a sentence that begins with who it was. */
export function ActivityText({ entry }: { entry: ActivityEntry }) {
  switch (entry.kind) {
    case 'undone':
      break
    case 'status':
      return (
        <>
          {verbs[entry.status]} <ReopenConditionText condition={entry.reopenCondition} />
        </>
      )
    case 'assigned':
      return <Assignment entry={entry} />
    case 'comment':
      return entry.editedAt === undefined ? 'commented' : 'commented (edited)'
    case 'merged':
      return (
        <>
          merged <IssueNames issues={entry.issues} /> into it
        </>
      )
    case 'unmerged':
      return (
        <>
          took <IssueNames issues={entry.issues} /> out of it
        </>
      )
    case 'merged_into':
      return (
        <>
          merged it into <IssueNames issues={[entry.issue]} />
        </>
      )
    case 'unmerged_from':
      return (
        <>
          took it out of <IssueNames issues={[entry.issue]} />
        </>
      )
    case 'regressed':
      return <Regression release={entry.release} />
    case 'reopened':
      return `brought it back out of the archive: ${reasons[entry.reason]}`
  }
  return 'took that back'
}

function Assignment({ entry: { by, assignee } }: { entry: Extract<ActivityEntry, { kind: 'assigned' }> }) {
  if (assignee === undefined) return 'assigned it to nobody'
  if (assignee.userId === by?.userId) return 'took it'
  return (
    <>
      assigned it to <bdi>{personName(assignee)}</bdi>
    </>
  )
}

function Regression({ release }: { release: string | undefined }) {
  if (release === undefined) return 'reopened it: it happened again'
  return (
    <>
      reopened it: it happened again in{' '}
      <Link to="/releases/$version" params={{ version: release }}>
        <bdi>{release}</bdi>
      </Link>
    </>
  )
}

function IssueNames({ issues }: { issues: readonly IssueName[] }) {
  return issues.map(({ issueId, title, shortId }, index) => (
    <span key={issueId}>
      {index === 0 ? '' : ', '}
      <Link to="/issues/$issueId" params={{ issueId }}>
        <bdi>{shortId === '' ? title : shortId}</bdi>
      </Link>
    </span>
  ))
}
