import type { CountedEvent } from '#server/store/issues/counters.ts'
import type { EventTag } from '#server/store/issues/tag-hash.ts'
import type { EventRecord } from './records.ts'

/** The issue that a group hash leads to, or the part of a merged one. */
export interface IssueReference {
  projectId: number
  issueId: number
  /** A merged issue: counted in `issue_parts`, without events of its own. */
  isPart: boolean
  /** The issue that does not exist yet is written with its first event. */
  isNew: boolean
  groupHash: string
  mechanism: string
}

/** What one batch adds to one issue, so that a hot issue costs one update and not one per event. */
export interface IssueTally {
  issue: IssueReference
  /** All of them. */
  eventCount: number
  /** Events that are counted but not stored. */
  countedOnly: number
  newest: EventRecord
  /** Of the stored events; absent when none is stored. */
  ends?: { first: EventRecord; latest: EventRecord }
  /** The earliest and the latest event that name a release. */
  firstReleased?: EventRecord
  latestReleased?: EventRecord
  environments: Set<string>
  /** By release, or the empty text for none: when its latest event happened. */
  releases: Map<string, number>
  /** One per event, in order of arrival: the increments of hours, tags and users. */
  counted: CountedEvent[]
}

/** Creates a tally from its first event without counting it; count that event too. */
export function createIssueTally(issue: IssueReference, event: EventRecord): IssueTally {
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

/** What an event is counted by, in addition to its own fields. */
export interface CountedBy {
  userHash: number | undefined
  /** See `countedTags`. */
  tags: readonly EventTag[]
}

/** Counts one stored event. */
export function tallyEvent(tally: IssueTally, event: EventRecord, by: CountedBy): void {
  tally.ends ??= { first: event, latest: event }
  if (isEarlier(event, tally.ends.first)) tally.ends.first = event
  if (isEarlier(tally.ends.latest, event)) tally.ends.latest = event
  if (event.release !== undefined) tallyRelease(tally, event)
  addToTally(tally, event, by)
}

/**
 * Counts an event that is not stored: it is never an issue's first or latest event, because it cannot be
 * shown.
 */
export function tallyCountedOnly(tally: IssueTally, event: EventRecord, by: CountedBy): void {
  tally.countedOnly += 1
  addToTally(tally, event, by)
}

function addToTally(tally: IssueTally, event: EventRecord, by: CountedBy): void {
  tally.eventCount += 1
  if (isEarlier(tally.newest, event)) tally.newest = event
  tally.environments.add(event.environment)
  const release = event.release ?? ''
  const seenAt = tally.releases.get(release)
  if (seenAt === undefined || seenAt < event.occurredAt) tally.releases.set(release, event.occurredAt)
  const { occurredAt, environment } = event
  tally.counted.push({ occurredAt, environment, userHash: by.userHash, tags: by.tags })
}

/** The position of an event among its issue's events. */
export interface EventPlace {
  occurredAt: number
  eventId: string
}

/** The order of an issue's events: by when they happened, then by id so that it is total. */
export function isEarlier(one: EventPlace, other: EventPlace): boolean {
  if (one.occurredAt !== other.occurredAt) return one.occurredAt < other.occurredAt
  return one.eventId < other.eventId
}

function tallyRelease(tally: IssueTally, event: EventRecord): void {
  if (!tally.firstReleased || isEarlier(event, tally.firstReleased)) tally.firstReleased = event
  if (!tally.latestReleased || isEarlier(tally.latestReleased, event)) tally.latestReleased = event
}
