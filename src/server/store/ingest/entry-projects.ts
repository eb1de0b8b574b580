import type { CommitEntry } from './records.ts'

/** The projects whose rows an entry changes. */
export function listProjectIds(entry: CommitEntry): number[] {
  const { events, outcomes, deadLetters, samples = [], attachments = [], traces = [], figures = [] } = entry
  const { sessions = [], outbox = [], deliveryResults = [], upstreamStates = [], retryOf } = entry
  const ids = new Set<number>()
  const lists = [
    events,
    outcomes,
    deadLetters,
    samples,
    attachments,
    traces,
    figures,
    outbox,
    deliveryResults,
    upstreamStates,
  ]
  for (const list of lists) for (const { projectId } of list) ids.add(projectId)
  for (const { projectId, reports } of sessions) {
    ids.add(projectId)
    for (const report of reports) ids.add(report.projectId)
  }
  if (retryOf !== undefined) ids.add(retryOf.projectId)
  // An entry with an id that is not a safe integer cannot be written.
  return [...ids].filter(Number.isSafeInteger)
}
