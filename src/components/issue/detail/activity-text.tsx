import { personName } from '#components/issue/person-name.ts'
import { ReopenConditionText } from '#components/issue/reopen-condition-text.tsx'
import { Link } from '#components/ui/link.tsx'
import type { IssueStatus } from '#server/store/issues/records.ts'
import type {
  ActivityEntry,
  FixCommit,
  IssueName,
  ReopenReason,
  UndoneChange,
} from '#server/store/triage/records.ts'

const verbs: Record<IssueStatus, string> = {
  unresolved: 'reopened',
  resolved: 'resolved',
  archived: 'archived',
}

const linkVerbs = {
  linked: 'linked',
  unlinked: 'unlinked',
  link_closed: 'closed',
  link_reopened: 'reopened',
}

const reasons: Record<ReopenReason, string> = {
  time: 'time limit reached',
  events: 'event limit reached',
  users: 'user limit reached',
  escalation: 'escalating',
}

const undoneChanges: Record<UndoneChange, string> = {
  merge: 'a merge',
  unmerge: 'an unmerge',
  status: 'a change of the status',
  assignment: 'an assignment',
}

/** The action of a user, as the end of a sentence that begins with the user's name. */
export function ActivityText({ entry }: { entry: ActivityEntry & { commitUrl?: string } }) {
  switch (entry.kind) {
    case 'undone':
      break
    case 'status':
      return (
        <>
          {verbs[entry.status]} this
          {entry.isRecovery ? ': its monitor recovered' : null}{' '}
          <ReopenConditionText condition={entry.reopenCondition} />
          {entry.commit === undefined ? null : (
            <>
              {' '}
              by the commit <Commit commit={entry.commit} url={entry.commitUrl} />
            </>
          )}
        </>
      )
    case 'assigned':
      return <Assignment entry={entry} />
    case 'comment':
      return entry.editedAt === undefined ? 'commented' : 'commented (edited)'
    case 'merged':
      return (
        <>
          merged <IssueNames issues={entry.issues} />
        </>
      )
    case 'unmerged':
      return (
        <>
          unmerged <IssueNames issues={entry.issues} />
        </>
      )
    case 'merged_into':
      return (
        <>
          merged this into <IssueNames issues={[entry.issue]} />
        </>
      )
    case 'unmerged_from':
      return (
        <>
          unmerged this from <IssueNames issues={[entry.issue]} />
        </>
      )
    case 'regressed':
      return <Regression release={entry.release} />
    case 'reopened':
      return `unarchived this: ${reasons[entry.reason]}`
    case 'linked':
    case 'unlinked':
    case 'link_closed':
    case 'link_reopened':
      return (
        <>
          {linkVerbs[entry.kind]}{' '}
          <a href={entry.link.url} rel="noreferrer">
            <bdi>{entry.link.name}</bdi>
          </a>
          {entry.kind === 'link_closed' || entry.kind === 'link_reopened' ? ' in its tracker' : ''}
        </>
      )
  }
  return `undid ${entry.change === undefined ? 'a change' : undoneChanges[entry.change]}`
}

function Assignment({
  entry: { by, assignee, isAccessEnded },
}: {
  entry: Extract<ActivityEntry, { kind: 'assigned' }>
}) {
  if (assignee === undefined)
    return isAccessEnded ? 'unassigned this: its assignee no longer has access' : 'unassigned this'
  if (assignee.userId === by?.userId) return 'assigned this to themselves'
  return (
    <>
      assigned this to <bdi>{personName(assignee)}</bdi>
    </>
  )
}

function Commit({ commit: { id, subject, authorName }, url }: { commit: FixCommit; url?: string }) {
  const hash = <code>{id.slice(0, 12)}</code>
  return (
    <>
      {url === undefined ? hash : <a href={url}>{hash}</a>} <bdi>{subject}</bdi>
      {authorName === undefined ? null : (
        <>
          {' '}
          of <bdi>{authorName}</bdi>
        </>
      )}
    </>
  )
}

function Regression({ release }: { release: string | undefined }) {
  if (release === undefined) return 'marked this as a regression'
  return (
    <>
      marked this as a regression in{' '}
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
