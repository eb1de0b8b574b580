import { limits } from '#server/limits.ts'
import type { EventRecord } from './event-record.ts'
import { hourOf } from './hour.ts'

/** The issue that a group hash leads to. */
export interface IssueReference {
  projectId: number
  issueId: number
  /** The issue that does not exist yet is written with its first event. */
  isNew: boolean
  groupHash: string
  mechanism: string
}

/** What one batch adds to one issue, so that a hot issue costs one update and not one per event. */
export interface IssueTally {
  issue: IssueReference
  eventCount: number
  first: EventRecord
  latest: EventRecord
  /** The earliest and the latest event that name a release. */
  firstReleased?: EventRecord
  latestReleased?: EventRecord
  userHashes: Set<number>
  hours: Map<string, HourTally>
  tags: Map<string, TagTally>
}

export interface HourTally {
  hour: number
  environment: string
  eventCount: number
}

export interface TagTally {
  key: string
  value: string
  eventCount: number
  lastSeenAt: number
}

/** A tally that holds nothing but the event that starts it; count that event too. */
export function createIssueTally(issue: IssueReference, event: EventRecord): IssueTally {
  return {
    issue,
    eventCount: 0,
    first: event,
    latest: event,
    userHashes: new Set(),
    hours: new Map(),
    tags: new Map(),
  }
}

/** Counts one stored event. */
export function tallyEvent(tally: IssueTally, event: EventRecord, userHash: number | undefined): void {
  tally.eventCount += 1
  if (isEarlier(event, tally.first)) tally.first = event
  if (isEarlier(tally.latest, event)) tally.latest = event
  if (event.release !== undefined) tallyRelease(tally, event)
  if (userHash !== undefined) tally.userHashes.add(userHash)
  tallyHour(tally, event)
  tallyTag(tally, ['environment', event.environment], event.occurredAt)
  for (const tag of event.tags.slice(0, limits.indexedTagsPerEvent)) {
    if (tag[0] !== 'environment') tallyTag(tally, tag, event.occurredAt)
  }
}

/** Where an event stands among its issue's events. */
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

function tallyHour(tally: IssueTally, event: EventRecord): void {
  const hour = hourOf(event.occurredAt)
  const key = `${hour}:${event.environment}`
  const counted = tally.hours.get(key)
  if (counted) counted.eventCount += 1
  else tally.hours.set(key, { hour, environment: event.environment, eventCount: 1 })
}

function tallyTag(tally: IssueTally, tag: [key: string, value: string], seenAt: number): void {
  const key = tag[0].slice(0, limits.tagKeyCharacters)
  const value = tag[1].slice(0, limits.tagValueCharacters)
  const mapKey = `${key}\0${value}`
  const counted = tally.tags.get(mapKey)
  if (counted) {
    counted.eventCount += 1
    counted.lastSeenAt = Math.max(counted.lastSeenAt, seenAt)
  } else {
    tally.tags.set(mapKey, { key, value, eventCount: 1, lastSeenAt: seenAt })
  }
}
