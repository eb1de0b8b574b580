import * as v from 'valibot'
import type { AlertTransition } from '#alerts/transition.ts'
import type { SqlInput } from '#server/store/engine/connection.ts'
import { createActivityId } from '#server/store/triage/activity.ts'

/** The event that caused a transition; empty where a person or the time did. */
const causingEvent = v.object({
  release: v.optional(v.string()),
  tags: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
})

/** A transition of an issue. `at` in Unix milliseconds. */
export interface QueuedTransition {
  projectId: number
  issueId: number
  kind: AlertTransition
  at: number
  event?: v.InferInput<typeof causingEvent>
}

/** Queues a transition, with `toQueueValues`. Run it in the transaction that changes the issue. */
export const queueTransitionText = `INSERT INTO alert_transitions (project_id, id, issue_id, kind, at, detail)
  VALUES (?, ?, ?, ?, ?, ?)`

/** The values of `queueTransitionText`. */
export function toQueueValues({ projectId, issueId, kind, at, event = {} }: QueuedTransition): SqlInput[] {
  const detail = { ...(event.release !== undefined && { release: event.release }), tags: event.tags ?? [] }
  return [projectId, createActivityId(at), issueId, kind, at, JSON.stringify(detail)]
}

/** Reads `alert_transitions.detail`. */
export function parseCausingEvent(detail: string): v.InferOutput<typeof causingEvent> {
  return v.parse(causingEvent, JSON.parse(detail))
}
