import type { IssueTally } from '#server/store/ingest/issue-tally.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'
import type { ReturnReason } from '#server/store/issues/records.ts'
import { isNewerRelease } from '#server/store/releases/order.ts'
import { hourOf } from '#time/time-steps.ts'
import { createActivityId } from './activity.ts'
import { formatIssueTerms, parseIssueTerms } from './terms.ts'
import type { ArchiveTerms } from './terms.ts'

/** What a batch found in an issue that is resolved or archived. */
export interface PutAway {
  status: string
  statusChangedAt: number
  /** As its column has it. */
  terms: unknown
  /** Before the batch. */
  eventCount: number
}

/**
 * Brings an issue back that is resolved or archived, when the batch's events are what it waits for. Inside
 * the batch's transaction.
 */
export function bringBack(statements: IngestStatements, tally: IssueTally, putAway: PutAway): void {
  if (putAway.status === 'resolved') reopen(statements, tally, putAway)
  if (putAway.status === 'archived') endArchive(statements, tally, putAway)
}

function reopen(statements: IngestStatements, tally: IssueTally, { statusChangedAt, terms }: PutAway): void {
  const { issue, newest } = tally
  // An event from before the resolution that was late on its way says nothing against it.
  const since = [...tally.releases]
    .filter(([, occurredAt]) => occurredAt > statusChangedAt)
    .toSorted(([, one], [, other]) => other - one)
  const isUnfixed = createReleaseTest(statements, issue.projectId, terms)
  const release = since.map(([name]) => name).find(isUnfixed)
  if (release === undefined) return
  const rows = issue.isPart ? statements.parts : statements
  rows.reopenIssue.run(newest.receivedAt, release || null, issue.projectId, issue.issueId)
  noteReturn(statements, tally, { kind: 'regressed', ...(release !== '' && { release }) })
}

/**
 * Says whether an event of a release shows that an issue is not fixed. One that names no release may be of
 * the newest.
 */
function createReleaseTest(
  statements: IngestStatements,
  projectId: number,
  text: unknown,
): (release: string) => boolean {
  const terms = parseIssueTerms(text)
  return (release) => {
    if (release === '' || terms === undefined || terms.kind === 'archive') return true
    return terms.kind === 'release'
      ? !isNewerRelease(statements, projectId, { version: terms.release, than: release })
      : isNewerRelease(statements, projectId, { version: release, than: terms.after })
  }
}

function endArchive(
  statements: IngestStatements,
  tally: IssueTally,
  { terms: text, eventCount }: PutAway,
): void {
  if (text === null) return
  const terms = parseIssueTerms(text)
  if (terms?.kind !== 'archive') return
  const { issue, newest } = tally
  const hour = countHour(terms, { at: hourOf(newest.receivedAt), eventCount })
  const reason = findReason(terms, { at: newest.receivedAt, eventCount: eventCount + tally.eventCount, hour })
  const rows = issue.isPart ? statements.parts : statements
  if (reason !== undefined) {
    rows.returnIssue.run(newest.receivedAt, issue.projectId, issue.issueId)
    noteReturn(statements, tally, { kind: 'returned', reason })
  } else if (hour !== undefined && hour !== terms.hour) {
    rows.setIssueTerms.run(formatIssueTerms({ ...terms, hour }), issue.projectId, issue.issueId)
  }
}

/** The hour that is counted: the one before, or one that begins now. */
function countHour(
  { hourLimit, hour }: ArchiveTerms,
  now: NonNullable<ArchiveTerms['hour']>,
): ArchiveTerms['hour'] {
  if (hourLimit === undefined) return undefined
  return hour?.at === now.at ? hour : now
}

interface Progress {
  at: number
  eventCount: number
  hour: ArchiveTerms['hour']
}

function findReason(terms: ArchiveTerms, { at, eventCount, hour }: Progress): ReturnReason | undefined {
  if (terms.untilAt !== undefined && at >= terms.untilAt) return 'time'
  if (terms.eventCount !== undefined && eventCount >= terms.eventCount) return 'events'
  if (terms.hourLimit !== undefined && hour && eventCount - hour.eventCount > terms.hourLimit)
    return 'escalation'
  return undefined
}

/** Brings an archived issue back that waited for so many users. `counted` are the users it has now. */
export function bringBackByUsers(
  statements: IngestStatements,
  issue: { projectId: number; issueId: number; isPart: boolean },
  { counted, terms: text, at }: { counted: number; terms: unknown; at: number },
): void {
  const terms = parseIssueTerms(text)
  if (terms?.kind !== 'archive' || terms.userCount === undefined || counted < terms.userCount) return
  const rows = issue.isPart ? statements.parts : statements
  rows.returnIssue.run(at, issue.projectId, issue.issueId)
  if (!issue.isPart) writeReturn(statements, issue, { at, detail: { kind: 'returned', reason: 'users' } })
}

type ReturnDetail = { kind: 'regressed'; release?: string } | { kind: 'returned'; reason: ReturnReason }

/** The activity of a part is that of the issue it is a part of. */
function noteReturn(statements: IngestStatements, { issue, newest }: IssueTally, detail: ReturnDetail): void {
  if (!issue.isPart) writeReturn(statements, issue, { at: newest.receivedAt, detail })
}

function writeReturn(
  statements: IngestStatements,
  { projectId, issueId }: { projectId: number; issueId: number },
  { at, detail: { kind, ...detail } }: { at: number; detail: ReturnDetail },
): void {
  const id = createActivityId(at)
  statements.countReopened.run(projectId)
  statements.insertActivity.run(projectId, issueId, id, id, at, kind, JSON.stringify(detail))
}
