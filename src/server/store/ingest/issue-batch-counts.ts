import type { CountedEvent } from '#server/store/issues/counters.ts'
import type { EventTag } from '#server/store/issues/tag-hash.ts'
import type { EventRecord } from './records.ts'

/** The issue of a group hash, or the part of it that has the hash. */
export interface IssueReference {
  projectId: number
  issueId: number
  /** True for a part of a merge target, which is counted in `issue_parts`. */
  isPart: boolean
  /** True if the issue does not exist yet and is written with its first event. */
  isNew: boolean
  groupHash: string
  mechanism: string
}

/** The fields of the latest event that are repeated in the issue's row. */
export interface LatestEvent extends EventPoint {
  type: string
  title: string
  subtitle: string
  culprit: string
  level: string
  platform: string
  logger?: string | undefined
  message?: string | undefined
}

/** The update of the row of an issue, or of a part, by stored events. */
export interface IssueAdvance {
  eventCount: number
  latest: LatestEvent
  /** The release of the latest event that names one. */
  release?: string | undefined
}

/** The counts of one batch for one issue, so that a hot issue costs one update and not one per event. */
export interface IssueBatchCounts {
  issue: IssueReference
  /** All events, also those that are only counted. */
  eventCount: number
  /** Events that are counted but not stored. */
  countedOnly: number
  newest: EventRecord
  /** The first and the latest stored event; absent if none is stored. */
  ends?: { first: EventRecord; latest: EventRecord }
  /** The earliest and the latest event that name a release. */
  firstReleased?: EventRecord
  latestReleased?: EventRecord
  environments: Set<string>
  /** When the latest event of each release occurred; the empty text for events without a release. */
  releases: Map<string, number>
  /** One per event, in order of arrival: the increments of hours, tags and users. */
  counted: CountedEvent[]
  /** The update of the issue's row, if it is written later, together with its counters. */
  advance?: IssueAdvance
}

/** Creates the counts of an issue without counting the given first event; count it separately. */
export function createIssueBatchCounts(issue: IssueReference, event: EventRecord): IssueBatchCounts {
  return {
    issue,
    newest: event,
    eventCount: 0,
    countedOnly: 0,
    environments: new Set(),
    releases: new Map(),
    counted: [],
  }
}

/** The keys under which an event is counted, in addition to its own fields. */
export interface CountedBy {
  userHash: number | undefined
  /** See `countedTags`. */
  tags: readonly EventTag[]
}

/** Counts one stored event. */
export function addIssueEvent(counts: IssueBatchCounts, event: EventRecord, by: CountedBy): void {
  counts.ends ??= { first: event, latest: event }
  if (isEarlier(event, counts.ends.first)) counts.ends.first = event
  if (isEarlier(counts.ends.latest, event)) counts.ends.latest = event
  if (event.release !== undefined) addRelease(counts, event)
  addToCounts(counts, event, by)
}

/** Counts an event that is not stored: never an issue's first or latest event, which are shown. */
export function addCountedEvent(counts: IssueBatchCounts, event: EventRecord, by: CountedBy): void {
  counts.countedOnly += 1
  addToCounts(counts, event, by)
}

function addToCounts(counts: IssueBatchCounts, event: EventRecord, by: CountedBy): void {
  counts.eventCount += 1
  if (isEarlier(counts.newest, event)) counts.newest = event
  counts.environments.add(event.environment)
  const release = event.release ?? ''
  const seenAt = counts.releases.get(release)
  if (seenAt === undefined || seenAt < event.occurredAt) counts.releases.set(release, event.occurredAt)
  const { occurredAt, environment } = event
  counts.counted.push({ occurredAt, environment, userHash: by.userHash, tags: by.tags })
}

/** The position of an event in the order of its issue's events. */
export interface EventPoint {
  occurredAt: number
  eventId: string
}

/** The order of an issue's events: by time of occurrence, then by id, so that the order is total. */
export function isEarlier(one: EventPoint, other: EventPoint): boolean {
  if (one.occurredAt !== other.occurredAt) return one.occurredAt < other.occurredAt
  return one.eventId < other.eventId
}

function addRelease(counts: IssueBatchCounts, event: EventRecord): void {
  if (!counts.firstReleased || isEarlier(event, counts.firstReleased)) counts.firstReleased = event
  if (!counts.latestReleased || isEarlier(counts.latestReleased, event)) counts.latestReleased = event
}
