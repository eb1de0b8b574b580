import * as v from 'valibot'
import type { CountedEvent, IssueCounters } from '#server/store/issues/counters.ts'
import type { EventTag } from '#server/store/issues/tag-hash.ts'
import { addAdvances } from './issue-advance.ts'
import type { IssueAdvance, IssueBatchCounts, IssueReference } from './issue-batch-counts.ts'

/** The counts to add to an issue. */
export interface IssueIncrement extends IssueCounters {
  /** The update of the issue's row, if the events' own transaction has left it out. */
  advance?: IssueAdvance
}

/** The increments of several issues of one project, by issue id. */
export type ProjectCounters = Map<number, IssueIncrement>

type IssueDelta = Pick<IssueBatchCounts, 'counted' | 'advance'> & { issue: Pick<IssueReference, 'issueId'> }

/** Fields per event in the text. */
const eventFields = 4

/**
 * The counter increments of a batch for a project's issues as one text: JSON, as flat as possible. It lists
 * the events instead of counting them, because the few events of one issue in one batch have little in
 * common, and a fold aggregates them with those of many batches.
 *
 *     [issueId, [occurredAt, environment, userHash or null, [key, value, …], …], advance or nothing, …]
 */
export function formatCounterDelta(issues: Iterable<IssueDelta>): string {
  const flat: unknown[] = []
  for (const { issue, counted, advance } of issues) {
    flat.push(issue.issueId, flattenEvents(counted))
    if (advance !== undefined) flat.push(advance)
  }
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

/** The sum of the deltas of an issue. */
export interface WaitingCounts {
  counted: CountedEvent[]
  advance?: IssueAdvance | undefined
}

/** Adds the events of `formatCounterDelta` to the counts of their issues. Throws if the text is damaged. */
export function addCounterDelta(issues: Map<number, WaitingCounts>, text: string): void {
  const flat = requireList(JSON.parse(text))
  for (let at = 0; at < flat.length; at += 2) {
    const waiting = waitingOf(issues, requireNumber(flat[at]))
    const advance = flat[at + 2]
    const events = requireList(flat[at + 1])
    for (let offset = 0; offset < events.length; offset += eventFields) {
      const userHash = events[offset + 2]
      waiting.counted.push({
        occurredAt: requireNumber(events[offset]),
        environment: requireText(events[offset + 1]),
        userHash: userHash === null ? undefined : requireNumber(userHash),
        tags: toTags(requireList(events[offset + 3])),
      })
    }
    if (typeof advance === 'object' && advance !== null) {
      waiting.advance = addAdvances(waiting.advance, toAdvance(advance))
      at += 1
    }
  }
}

const advanceFields = v.object({
  eventCount: v.number(),
  latest: v.object({
    occurredAt: v.number(),
    eventId: v.string(),
    type: v.string(),
    title: v.string(),
    subtitle: v.string(),
    culprit: v.string(),
    level: v.string(),
    platform: v.string(),
    logger: v.optional(v.string()),
    message: v.optional(v.string()),
  }),
  release: v.optional(v.string()),
})

function toAdvance(value: object): IssueAdvance {
  const { success, output } = v.safeParse(advanceFields, value)
  if (!success) throw damaged()
  return output
}

function toTags(flat: unknown[]): EventTag[] {
  const tags: EventTag[] = []
  for (let at = 0; at < flat.length; at += 2) tags.push([requireText(flat[at]), requireText(flat[at + 1])])
  return tags
}

function waitingOf(issues: Map<number, WaitingCounts>, issueId: number): WaitingCounts {
  const known = issues.get(issueId)
  if (known !== undefined) return known
  const waiting: WaitingCounts = { counted: [] }
  issues.set(issueId, waiting)
  return waiting
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
