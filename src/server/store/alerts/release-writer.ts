import { toReleaseNotice } from '#alerts/notice.ts'
import type { ReadStatement, WriteStatement } from '#server/store/engine/connection.ts'
import { noIssueId, toQueueValues, type QueuedTransition } from './queue.ts'

/** A release of a received event or session. `at` in Unix milliseconds. */
interface SeenVersion {
  projectId: number
  version: string
  environments?: readonly string[]
  at: number
}

/** Queues the transition of a new release. Call before the release is written, in the batch. */
export function noteNewRelease(
  statements: { findRelease: ReadStatement; transitions: { queueAlert: WriteStatement } },
  seen: SeenVersion,
): void {
  if (statements.findRelease.get(seen.projectId, seen.version) !== undefined) return
  statements.transitions.queueAlert.run(...toQueueValues(toReleaseTransition(seen)))
}

/** The transition of a new release. */
export function toReleaseTransition({ projectId, version, environments, at }: SeenVersion): QueuedTransition {
  const cause = { release: version, notice: toReleaseNotice(version, environments) }
  return { projectId, issueId: noIssueId, kind: 'release', at, cause }
}
