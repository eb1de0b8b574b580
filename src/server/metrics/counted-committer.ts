import type { Committer } from '#server/store/ingest/committer.ts'
import type { CommitResult, CommitEntry, EventCommit } from '#server/store/ingest/records.ts'
import { surplusSessionReason, type SessionCommit } from '#server/store/sessions/record.ts'
import { discardedHashReason } from '#server/store/triage/discarded-hashes.ts'
import type { Counter, Metrics } from './registry.ts'

/** Seconds: an fsync of a fast disk takes 1 ms, and after 10 s an entry is rejected. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The outcome and reason for each result of an event. */
const outcomes: Record<EventCommit, [outcome: string, reason: string]> = {
  accepted: ['accepted', ''],
  counted: ['accepted', 'spike_protection'],
  duplicate: ['invalid', 'duplicate'],
  discarded: ['filtered', discardedHashReason],
  dead_letter: ['invalid', 'internal'],
}

/** The same for session items. */
const sessionOutcomes: Record<SessionCommit, [outcome: string, reason: string]> = {
  counted: ['accepted', ''],
  surplus: ['abuse', surplusSessionReason],
}

/** A committer that counts its items. */
export interface CountedCommitter extends Committer {
  /** Items since the process began. */
  itemCount: () => number
}

/** Wraps the committer and counts items by outcome, and the time until each entry is committed. */
export function countCommits(committer: Committer, metrics: Metrics): CountedCommitter {
  let itemCount = 0
  const items = metrics.counter({
    name: 'culvert_items_total',
    help: 'Received items by outcome. Attachments are not counted.',
    labels: ['category', 'outcome', 'reason'],
  })
  const failures = metrics.counter({
    name: 'culvert_commit_failures_total',
    help: 'Envelopes that could not be committed and were answered with an error.',
  })
  const seconds = metrics.histogram({
    name: 'culvert_commit_seconds',
    help: 'Time from an envelope being read and processed until it is on disk.',
    buckets,
  })
  failures.add(0)
  return {
    ...committer,
    itemCount: () => itemCount,
    async commit(entry, when) {
      const handedInAt = performance.now()
      try {
        const result = await committer.commit(entry, when)
        // No sender waits for deferred entries.
        if (when !== 'deferred') seconds.observe((performance.now() - handedInAt) / 1000)
        if (result.isGone !== true) itemCount += countItems(items, entry, result)
        return result
      } catch (error) {
        failures.add(1)
        throw error
      }
    },
  }
}

/** Returns the number of items. */
function countItems(
  counter: Counter,
  { events, outcomes: counts, sessions = [], traces = [] }: CommitEntry,
  result: CommitResult,
): number {
  let itemCount = 0
  const add = (quantity: number, labels: readonly string[]) => {
    itemCount += quantity
    counter.add(quantity, labels)
  }
  for (const { category, outcome, reason, quantity } of counts) add(quantity, [category, outcome, reason])
  for (const { category, quantity } of traces) add(quantity, [category, 'accepted', ''])
  for (const [index, { category }] of events.entries()) {
    const became = result.events[index]
    if (became !== undefined) add(1, [category, ...outcomes[became]])
  }
  for (const [index, { quantity }] of sessions.entries()) {
    const became = result.sessions?.[index]
    if (became !== undefined) add(quantity, ['session', ...sessionOutcomes[became]])
  }
  return itemCount
}
