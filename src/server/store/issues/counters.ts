import { hourOf } from '#time/time-steps.ts'
import type { EventTag } from './tag-hash.ts'

/** The keys that an event is counted by in its issue. */
export interface CountedEvent {
  /** Unix milliseconds. */
  occurredAt: number
  environment: string
  userHash: number | undefined
  /** See `countedTags`. */
  tags: readonly EventTag[]
}

/** Events of one issue that have something in common, and when the latest of them happened. */
export interface TagCount {
  eventCount: number
  /** Unix milliseconds. */
  lastSeenAt: number
}

/** By key, then by value. */
export type TagCounts = Map<string, Map<string, TagCount>>

/** By environment, then by hour (the instant it began): events. */
export type EnvironmentHours = Map<string, Map<number, number>>

/** The counters that events add to their issue, those that may be written later. */
export interface IssueCounters {
  hours: EnvironmentHours
  tags: TagCounts
  userHashes: Set<number>
}

/** Counters that add nothing. */
export function createIssueCounters(): IssueCounters {
  return { hours: new Map(), tags: new Map(), userHashes: new Set() }
}

/** Counters of these events alone. */
export function countEvents(events: Iterable<CountedEvent>): IssueCounters {
  const counters = createIssueCounters()
  for (const event of events) countEvent(counters, event)
  return counters
}

/** Counts one event. Returns how many values of tags the counters did not have before. */
export function countEvent({ hours, tags, userHashes }: IssueCounters, event: CountedEvent): number {
  const { occurredAt, environment, userHash } = event
  addHourCount(hours, [environment, hourOf(occurredAt)], 1)
  if (userHash !== undefined) userHashes.add(userHash)
  let newCount = 0
  for (const tag of event.tags) if (addTag(tags, tag, occurredAt)) newCount += 1
  return newCount
}

/** Adds an event that carries a tag. Returns true for a new value. */
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
