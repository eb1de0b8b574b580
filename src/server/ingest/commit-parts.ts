import { limits } from '#server/limits.ts'
import type { CommitEntry } from '#server/store/ingest/records.ts'

/**
 * The work of a request as entries that are committed one after another: usually one. An OTLP request has
 * the segments of up to 20,000 traces, and one transaction for all of them would delay every other commit for
 * seconds. The last entry has everything else, so that a request that fails before and is repeated is counted
 * once in the figures; readers drop the segments that it stores twice.
 */
export function toCommitParts(work: CommitEntry): CommitEntry[] {
  const { traces = [] } = work
  if (traces.length <= limits.eventsPerCommit) return [work]
  const parts: CommitEntry[] = []
  for (let at = 0; at < traces.length; at += limits.eventsPerCommit) {
    const part = traces.slice(at, at + limits.eventsPerCommit)
    parts.push({ events: [], outcomes: [], deadLetters: [], traces: part })
  }
  return [...parts, { ...work, traces: [] }]
}
