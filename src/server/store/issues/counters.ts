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

/** Counts one event. */
export function countEvent({ hours, tags, userHashes }: IssueCounters, event: CountedEvent): void {
  const { occurredAt, environment, userHash } = event
  addHourCount(hours, [environment, hourOf(occurredAt)], 1)
  if (userHash !== undefined) userHashes.add(userHash)
  const once = { eventCount: 1, lastSeenAt: occurredAt }
  for (const tag of event.tags) addTagCount(tags, tag, once)
}

/** Adds events that carry a tag. */
function addTagCount(
  tags: TagCounts,
  [key, value]: readonly [key: string, value: string],
  { eventCount, lastSeenAt }: TagCount,
): void {
  const values = tags.get(key) ?? addEmpty(tags, key)
  const counted = values.get(value)
  if (counted === undefined) {
    values.set(value, { eventCount, lastSeenAt })
  } else {
    counted.eventCount += eventCount
    if (counted.lastSeenAt < lastSeenAt) counted.lastSeenAt = lastSeenAt
  }
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
