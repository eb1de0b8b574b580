import type { CommitWork } from './records.ts'

/** The projects whose rows a work changes. */
export function listProjectIds(work: CommitWork): number[] {
  const { events, outcomes, deadLetters, samples = [], attachments = [], traces = [], figures = [] } = work
  const { sessions = [], outbox = [], deliveryResults = [], upstreamStates = [], madeOf } = work
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
  if (madeOf !== undefined) ids.add(madeOf.projectId)
  // A work with an id that is not a safe integer cannot be written.
  return [...ids].filter(Number.isSafeInteger)
}
