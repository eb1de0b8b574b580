import type { BadInput } from './case.ts'
import type { Answer } from './send.ts'
import type { EventRow, StoreRows } from './store-rows.ts'

/** All observations of one case. */
export interface Facts {
  input: BadInput
  answers: Answer[]
  before: StoreRows
  after: StoreRows
  /** Rows of all kinds that the case added, by project, and rows of its events. */
  added: Map<number, number>
  addedEvents: EventRow[]
  /** Rows that the same request added when it was sent again. */
  addedByResend: number
  /** The peak of resident memory, beyond its value before the case. */
  growthBytes: number
  /** The longest answer of the health check during the case, and the number of failed checks. */
  worstHealthMs: number
  healthFailures: number
  connects: string[]
  /** Headers received by the upstream. */
  sentUp: string[]
  /** An ordinary event after the case, from another address: its status, and how many events it added. */
  nextStatus: number
  nextAdded: number
  /** Lines that the server logged as errors. */
  loggedErrors: string[]
  /** Bodies of earlier cases, by id. */
  bodies: ReadonlyMap<string, string>
}

/** The rows that one case added to a store. */
export function compareRows(
  before: StoreRows,
  after: StoreRows,
): { added: Map<number, number>; events: EventRow[] } {
  const added = new Map<number, number>()
  for (const [project, rows] of after.rowsByProject)
    added.set(project, rows - (before.rowsByProject.get(project) ?? 0))
  const known = new Set(before.events.map(({ projectId, id }) => `${projectId} ${id}`))
  const events = after.events.filter(({ projectId, id }) => !known.has(`${projectId} ${id}`))
  return { added, events }
}

/** Rows of all kinds in all projects. */
export function sumRows(added: ReadonlyMap<number, number>): number {
  return added.values().reduce((sum, rows) => sum + rows, 0)
}
