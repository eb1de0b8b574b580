import { toTroubleNotice, type TroubleKind } from '#alerts/notice.ts'
import type { ChangeStatement, SetPreparer, WriteStatement } from '#server/store/engine/connection.ts'
import { cacheRow, type BatchCache } from '#server/store/ingest/batch-cache.ts'
import { stepsUntil, minuteMs } from '#time/time-steps.ts'
import { noIssueId, queueTransitionText, toQueueValues } from './queue.ts'

/** The statements of `noteTrouble`, prepared on the writer's connection. */
export interface TroubleStatements {
  insert: ChangeStatement
  setLast: WriteStatement
  queue: WriteStatement
}

/** Prepares the statements of `noteTrouble`. */
export function prepareTroubleStatements({ engine }: { engine: SetPreparer }): TroubleStatements {
  return {
    insert: engine.prepareChange(
      `INSERT INTO alert_troubles (project_id, kind, subject, since_at, last_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (project_id, kind, subject) DO NOTHING`,
    ),
    setLast: engine.prepareWrite(
      `UPDATE alert_troubles SET last_at = ? WHERE project_id = ? AND kind = ? AND subject = ? AND last_at < ?`,
    ),
    queue: engine.prepareWrite(queueTransitionText),
  }
}

/** An ingest problem that a batch has detected. `at` in Unix milliseconds. */
interface MetTrouble {
  projectId: number
  kind: TroubleKind
  /** The issue to which the notice links. */
  issueId?: number
  at: number
}

/**
 * Records an ingest problem, and queues its transition when it begins. Call inside the transaction of a
 * batch. A process writes it at most once per minute.
 */
export function noteTrouble(
  { statements: { troubles }, cache }: { statements: { troubles: TroubleStatements }; cache: BatchCache },
  { projectId, kind, issueId, at }: MetTrouble,
): void {
  const { since: minute } = stepsUntil(at, { stepMs: minuteMs, stepCount: 1 })
  if (cacheRow(cache, ['trouble', projectId, kind, minute])) return
  const { changes } = troubles.insert.run(projectId, kind, '', at, at)
  if (Number(changes) === 0) {
    troubles.setLast.run(at, projectId, kind, '', at)
    return
  }
  const notice = toTroubleNotice(kind, { subject: issueId === undefined ? '' : String(issueId) })
  troubles.queue.run(
    ...toQueueValues({ projectId, issueId: noIssueId, kind: 'trouble', at, cause: { notice } }),
  )
}
