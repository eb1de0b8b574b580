import { hourOf } from '#time/time-steps.ts'
import type { EventTag } from './tag-hash.ts'

/** The keys by which an event is counted in its issue. */
export interface CountedEvent {
  /** Unix milliseconds. */
  occurredAt: number
  environment: string
  userHash: number | undefined
  /** See `countedTags`. */
  tags: readonly EventTag[]
}

/** The count of one issue's events with a tag, and the time of the latest one. */
export interface TagCount {
  eventCount: number
  /** Unix milliseconds. */
  lastSeenAt: number
}

/** Counts by key, then by value. */
export type TagCounts = Map<string, Map<string, TagCount>>

/** Event counts by environment, then by the start of the hour. */
export type EnvironmentHours = Map<string, Map<number, number>>

/** The counters of an issue that may be written after its events. */
export interface IssueCounters {
  hours: EnvironmentHours
  tags: TagCounts
  userHashes: Set<number>
}

/** Empty counters. */
export function createIssueCounters(): IssueCounters {
  return { hours: new Map(), tags: new Map(), userHashes: new Set() }
}

/** Counters of these events. */
export function countEvents(events: Iterable<CountedEvent>): IssueCounters {
  const counters = createIssueCounters()
  for (const event of events) countEvent(counters, event)
  return counters
}

/** Counts one event. Returns how many tag values are new to the counters. */
export function countEvent({ hours, tags, userHashes }: IssueCounters, event: CountedEvent): number {
  const { occurredAt, environment, userHash } = event
  addHourCount(hours, [environment, hourOf(occurredAt)], 1)
  if (userHash !== undefined) userHashes.add(userHash)
  let newCount = 0
  for (const tag of event.tags) if (addTag(tags, tag, occurredAt)) newCount += 1
  return newCount
}

/** Counts a tag of an event. Returns true for a new value. */
function addTag(tags: TagCounts, [key, value]: EventTag, occurredAt: number): boolean {
  const values = tags.get(key) ?? addEmpty(tags, key)
  const counted = values.get(value)
  if (counted === undefined) {
    values.set(value, { eventCount: 1, lastSeenAt: occurredAt })
    return true
  }
  counted.eventCount += 1
  if (counted.lastSeenAt < occurredAt) counted.lastSeenAt = occurredAt
  return false
}

/** Adds events that happened in an hour. */
function addHourCount(
  hours: EnvironmentHours,
  [environment, hour]: readonly [environment: string, hour: number],
  eventCount: number,
): void {
  const ofEnvironment = hours.get(environment) ?? addEmpty(hours, environment)
  ofEnvironment.set(hour, (ofEnvironment.get(hour) ?? 0) + eventCount)
}

function addEmpty<Key, Value>(outer: Map<string, Map<Key, Value>>, key: string): Map<Key, Value> {
  const inner = new Map<Key, Value>()
  outer.set(key, inner)
  return inner
}
