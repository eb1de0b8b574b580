import { addEvent, addHourCount, addTagCount, createIssueCounters } from '#server/store/issues/counters.ts'
import type {
  CountedEvent,
  EnvironmentHours,
  IssueCounters,
  TagCounts,
} from '#server/store/issues/counters.ts'
import type { EventTag } from '#server/store/issues/tag-hash.ts'

/** The counters of several issues of one project, by issue id. */
export type ProjectCounters = Map<number, IssueCounters>

/** What a text begins with that lists events. One of before begins with an issue's id, a number. */
const listsEvents = 'events'

/** Fields of an event in a text. */
const eventFields = 4

/**
 * What a batch adds to the counters of a project's issues as one text: JSON, as flat as it can be. It lists the events instead of
 * counting them, because the few of one issue in one batch have little in common, and a fold counts them with those of many batches.
 *
 *     ["events", issueId, [occurredAt, environment, userHash or null, [key, value, …], …], …]
 */
export function formatCounterDelta(
  issues: Iterable<readonly [issueId: number, events: readonly CountedEvent[]]>,
): string {
  const flat: unknown[] = [listsEvents]
  for (const [issueId, events] of issues) flat.push(issueId, flattenEvents(events))
  return JSON.stringify(flat)
}

function flattenEvents(events: readonly CountedEvent[]): unknown[] {
  const flat: unknown[] = []
  for (const { occurredAt, environment, userHash, tags } of events) {
    const flatTags: string[] = []
    for (const [key, value] of tags) flatTags.push(key, value)
    flat.push(occurredAt, environment, userHash ?? null, flatTags)
  }
  return flat
}

/** Adds what a text of `formatCounterDelta` counts, of this version or the one before it. Throws when it is damaged. */
export function addCounterDelta(issues: ProjectCounters, text: string): void {
  const flat = requireList(JSON.parse(text))
  if (flat[0] === listsEvents) addListedEvents(issues, flat)
  else addCounts(issues, flat)
}

function addListedEvents(issues: ProjectCounters, flat: unknown[]): void {
  for (let at = 1; at < flat.length; at += 2) {
    const counters = countersOf(issues, requireNumber(flat[at]))
    const events = requireList(flat[at + 1])
    for (let place = 0; place < events.length; place += eventFields) {
      const userHash = events[place + 2]
      addEvent(counters, {
        occurredAt: requireNumber(events[place]),
        environment: requireText(events[place + 1]),
        userHash: userHash === null ? undefined : requireNumber(userHash),
        tags: toTags(requireList(events[place + 3])),
      })
    }
  }
}

function toTags(flat: unknown[]): EventTag[] {
  const tags: EventTag[] = []
  for (let at = 0; at < flat.length; at += 2) tags.push([requireText(flat[at]), requireText(flat[at + 1])])
  return tags
}

/**
 * What a version before this one wrote, and was killed before it had counted it:
 *
 *     [issueId, [environment, [hour, events, …], …], [key, [value, events, lastSeenAt, …], …], [userHash, …], …]
 */
function addCounts(issues: ProjectCounters, flat: unknown[]): void {
  for (let at = 0; at < flat.length; at += 4) {
    const counters = countersOf(issues, requireNumber(flat[at]))
    addHours(counters.hours, requireList(flat[at + 1]))
    addTags(counters.tags, requireList(flat[at + 2]))
    for (const hash of requireList(flat[at + 3])) counters.userHashes.add(requireNumber(hash))
  }
}

function countersOf(issues: ProjectCounters, issueId: number): IssueCounters {
  const known = issues.get(issueId)
  if (known !== undefined) return known
  const counters = createIssueCounters()
  issues.set(issueId, counters)
  return counters
}

function addHours(hours: EnvironmentHours, flat: unknown[]): void {
  for (let at = 0; at < flat.length; at += 2) {
    const environment = requireText(flat[at])
    const counts = requireList(flat[at + 1])
    for (let place = 0; place < counts.length; place += 2) {
      addHourCount(hours, [environment, requireNumber(counts[place])], requireNumber(counts[place + 1]))
    }
  }
}

function addTags(tags: TagCounts, flat: unknown[]): void {
  for (let at = 0; at < flat.length; at += 2) {
    const key = requireText(flat[at])
    const values = requireList(flat[at + 1])
    for (let place = 0; place < values.length; place += 3) {
      addTagCount(tags, [key, requireText(values[place])], {
        eventCount: requireNumber(values[place + 1]),
        lastSeenAt: requireNumber(values[place + 2]),
      })
    }
  }
}

function requireList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw damaged()
  return value
}

function requireNumber(value: unknown): number {
  if (typeof value !== 'number') throw damaged()
  return value
}

function requireText(value: unknown): string {
  if (typeof value !== 'string') throw damaged()
  return value
}

function damaged(): Error {
  return new Error('a counter delta is not what was written')
}
