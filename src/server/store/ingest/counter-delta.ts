import { countEvent, createIssueCounters } from '#server/store/issues/counters.ts'
import type { CountedEvent, IssueCounters } from '#server/store/issues/counters.ts'
import type { EventTag } from '#server/store/issues/tag-hash.ts'

/** The counters of several issues of one project, by issue id. */
export type ProjectCounters = Map<number, IssueCounters>

/** Fields of an event in a text. */
const eventFields = 4

/**
 * The counter increments of a batch for a project's issues as one text: JSON, as flat as possible. It lists
 * the events instead of counting them, because the few events of one issue in one batch have little in
 * common, and a fold aggregates them with those of many batches.
 *
 *     [issueId, [occurredAt, environment, userHash or null, [key, value, …], …], …]
 */
export function formatCounterDelta(
  issues: Iterable<readonly [issueId: number, events: readonly CountedEvent[]]>,
): string {
  const flat: unknown[] = []
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

/** Adds the events of a text of `formatCounterDelta` to the counters. Throws when the text is damaged. */
export function addCounterDelta(issues: ProjectCounters, text: string): void {
  const flat = requireList(JSON.parse(text))
  for (let at = 0; at < flat.length; at += 2) {
    const counters = countersOf(issues, requireNumber(flat[at]))
    const events = requireList(flat[at + 1])
    for (let place = 0; place < events.length; place += eventFields) {
      const userHash = events[place + 2]
      countEvent(counters, {
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

function countersOf(issues: ProjectCounters, issueId: number): IssueCounters {
  const known = issues.get(issueId)
  if (known !== undefined) return known
  const counters = createIssueCounters()
  issues.set(issueId, counters)
  return counters
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
  return new Error('a counter delta is corrupt')
}
