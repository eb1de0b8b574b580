import { findShortIds } from '#search/short-ids.ts'
import type { SentMessage } from '#server/store/alerts/records.ts'
import { listSentMessages } from '#server/store/alerts/sent-messages.ts'
import {
  findEventOfIssue,
  findEventPosition,
  findLatestEvent,
  type StoredEvent,
} from '#server/store/events/events.ts'
import type { EventPosition, EventReference } from '#server/store/events/records.ts'
import { listTraceEvents } from '#server/store/events/trace.ts'
import { listOwnerCandidates, parseOwnership } from '#server/store/projects/ownership.ts'
import { listSuspectCandidates, type SuspectCandidate } from '#server/store/releases/commits.ts'
import type { Db } from '#server/store/schema/database.ts'
import { listSegmentsOfEvent, type TraceSegments } from '#server/store/traces/traces.ts'
import { findActivityVersion, readIssueTriage } from '#server/store/triage/choices.ts'
import { listIssueLinks } from '#server/store/triage/links.ts'
import type { IssueLink, IssueTriage } from '#server/store/triage/records.ts'
import type { OwnerCandidate } from '#source-links/owners/find-owners.ts'
import { findCountsDelay } from './counts-delay.ts'
import { findIssue, listIssueHours, type IssueQuery } from './issues.ts'
import { listLastIssueNumbers } from './marks.ts'
import type {
  IssueKey,
  IssueSummary,
  IssueHistograms,
  ReleaseMark,
  SimilarIssue,
  TagDistribution,
} from './records.ts'
import { listReleaseMarks, listSimilarIssues } from './related.ts'
import { listTagDistributions } from './tags.ts'
import { firstOfTrend, toTrend } from './trend.ts'

/** An issue page that is read. */
export interface IssueDetailQuery extends IssueQuery {
  /** 32 lower-case hex digits. The latest event is the default, even if the issue has no such event. */
  eventId?: string
}

/** The data of the issue page. */
export interface IssueDetailRecord {
  issue: IssueSummary
  trend: IssueHistograms
  /** The project's releases in the period of the trend, oldest first. */
  releases: ReleaseMark[]
  similar: SimilarIssue[]
  triage: IssueTriage
  /**
   * The highest number of an issue in each of the reader's projects, by the project's slug; empty if no
   * comment contains a short id.
   */
  lastIssueNumbers: ReadonlyMap<string, number>
  /** Linked issues of trackers. */
  links: IssueLink[]
  tags: TagDistribution[]
  /** The newest alert messages about the issue. */
  sentMessages: SentMessage[]
  /** The commits of the issue's first release. */
  commits: SuspectCandidate[]
  event: StoredEvent
  traceEvents: EventReference[]
  /** The trace of the event. */
  traceSegments: TraceSegments
  /** Users who can own code of the project; empty if its settings name no owners. */
  ownerCandidates: OwnerCandidate[]
  /** The delay of the project's counts, if they are late. */
  countsDelayMs?: number
}

/**
 * An issue with the data of its screen, in three rounds of statements: the issue, the reads by its key, and
 * the trace of its event. Undefined if the issue or its events do not exist.
 */
export async function findIssueDetail(
  db: Db,
  query: IssueDetailQuery,
): Promise<IssueDetailRecord | undefined> {
  const issue = await findIssue(db, query)
  if (issue === undefined) return undefined
  const key = { projectId: issue.project.id, issueId: query.issueId }
  const since = firstOfTrend(query.now)
  const firstRelease = { projectId: key.projectId, version: issue.firstRelease }
  const [found, hours, releases, similar, activity, tags, commits, links, sentMessages, countsDelayMs] =
    await Promise.all([
      findEventWithTrace(db, key, query),
      listIssueHours(db, key, since),
      listReleaseMarks(db, key.projectId, since),
      listSimilarIssues(db, key, issue),
      readTriage(db, issue, query),
      listTagDistributions(db, key),
      listSuspectCandidates(db, firstRelease),
      listIssueLinks(db, key),
      listSentMessages(db, key),
      findCountsDelay(db, { projectIds: [key.projectId], now: query.now }),
    ])
  const trend = toTrend(hours, query.now)
  if (found === undefined) return undefined
  const read = { trend, releases, similar, tags, commits, links, sentMessages, countsDelayMs }
  return { issue, ...read, ...activity, ...found }
}

async function readTriage(
  db: Db,
  { project }: IssueSummary,
  { issueId, projectIds }: IssueDetailQuery,
): Promise<Pick<IssueDetailRecord, 'triage' | 'lastIssueNumbers'>> {
  const triage = await readIssueTriage(db, { projectId: project.id, issueId }, project.slug)
  const hasShortIds = triage.activity.some(
    (entry) => entry.kind === 'comment' && findShortIds(entry.text).length > 0,
  )
  return { triage, lastIssueNumbers: hasShortIds ? await listLastIssueNumbers(db, projectIds) : new Map() }
}

async function findEventWithTrace(
  db: Db,
  key: IssueKey,
  { projectIds, eventId }: IssueDetailQuery,
): Promise<
  Pick<IssueDetailRecord, 'event' | 'traceEvents' | 'traceSegments' | 'ownerCandidates'> | undefined
> {
  const requested = eventId === undefined ? undefined : await findEventOfIssue(db, { ...key, eventId })
  const event = requested ?? (await findLatestEvent(db, key))
  if (event === undefined) return undefined
  const [traceEvents, traceSegments, ownerCandidates] = await Promise.all([
    listTraceEvents(db, event, projectIds),
    listSegmentsOfEvent(db, event, projectIds),
    parseOwnership(event.projectSettings) ? listOwnerCandidates(db, key.projectId) : [],
  ])
  return { event, traceEvents, traceSegments, ownerCandidates }
}

/** The data of an open page about an issue that events and users change. */
export interface IssueProgress {
  issue: IssueSummary
  /** `IssueTriage.activityVersion` */
  activityVersion: string
  trend: IssueHistograms
  /** The position of the shown event; absent if the issue no longer has it. */
  position?: EventPosition
}

/**
 * The data of an open page about an issue that events and users change, in two rounds of statements. Without
 * an event there is no position. Undefined if there is no such issue.
 */
export async function findIssueProgress(
  db: Db,
  { eventId, ...query }: IssueDetailQuery,
): Promise<IssueProgress | undefined> {
  const issue = await findIssue(db, query)
  if (issue === undefined) return undefined
  const key = { projectId: issue.project.id, issueId: query.issueId }
  const [hours, position, activityVersion] = await Promise.all([
    listIssueHours(db, key, firstOfTrend(query.now)),
    eventId === undefined ? undefined : findEventPosition(db, { ...key, eventId }),
    findActivityVersion(db, key),
  ])
  return { issue, activityVersion, trend: toTrend(hours, query.now), position }
}
