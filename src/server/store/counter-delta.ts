import { addHourCount, addTagCount, createIssueCounters } from './issue-counters.ts'
import type { EnvironmentHours, IssueCounters, TagCounts } from './issue-counters.ts'

/** The counters of several issues of one project, by issue id. */
export type ProjectCounters = Map<number, IssueCounters>

/**
 * What a batch adds to the counters of a project's issues as one text: JSON, as flat as it can be, because it is made
 * for every batch.
 *
 *     [issueId, [environment, [hour, events, …], …], [key, [value, events, lastSeenAt, …], …], [userHash, …], …]
 */
export function formatCounterDelta(
  issues: Iterable<readonly [issueId: number, counters: IssueCounters]>,
): string {
  const flat: unknown[] = []
  for (const [issueId, { hours, tags, userHashes }] of issues) {
    flat.push(issueId, flattenHours(hours), flattenTags(tags), [...userHashes])
  }
  return JSON.stringify(flat)
}

function flattenHours(hours: EnvironmentHours): unknown[] {
  const flat: unknown[] = []
  for (const [environment, ofEnvironment] of hours) flat.push(environment, [...ofEnvironment].flat())
  return flat
}

function flattenTags(tags: TagCounts): unknown[] {
  const flat: unknown[] = []
  for (const [key, values] of tags) {
    const flatValues: (string | number)[] = []
    for (const [value, { eventCount, lastSeenAt }] of values) flatValues.push(value, eventCount, lastSeenAt)
    flat.push(key, flatValues)
  }
  return flat
}

/** Adds what a text of `formatCounterDelta` counts. Throws when it is damaged. */
export function addCounterDelta(issues: ProjectCounters, text: string): void {
  const flat = requireList(JSON.parse(text))
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
