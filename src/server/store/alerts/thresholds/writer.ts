import type { AlertThreshold } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import { queueTransitions, type QueuedTransition } from '#server/store/alerts/queue.ts'
import type { StoredRule } from '#server/store/alerts/rules.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** A rule with a threshold. */
export type WatchingRule = StoredRule & { threshold: AlertThreshold }

/** The state of a threshold for an issue. */
export interface ThresholdChange {
  rule: WatchingRule
  projectId: number
  issueId: number
  isFired: boolean
  /** When it fired; undefined while it is armed. */
  firedAt?: number
}

interface ProjectChanges {
  projectId: number
  changes: readonly ThresholdChange[]
  /** Unix milliseconds. */
  now: number
}

/**
 * Writes changes of thresholds, and queues a transition for each change that this process makes, rather than
 * another one. In transactions of `limits.alertCrossingsAtOnce`. Returns the number of queued transitions.
 */
export async function writeChanges(
  store: Store,
  { projectId, changes, now }: ProjectChanges,
): Promise<number> {
  let count = 0
  for (let at = 0; at < changes.length; at += limits.alertCrossingsAtOnce) {
    const slice = changes.slice(at, at + limits.alertCrossingsAtOnce)
    count += await writeSlice(store, { projectId, changes: slice, now })
  }
  return count
}

function writeSlice(store: Store, { projectId, changes, now }: ProjectChanges): Promise<number> {
  return store.writer.transaction().execute(async (tx) => {
    const queued: QueuedTransition[] = []
    for (const change of changes) {
      const isOwn = await writeState(tx, change, now)
      const kind = change.isFired ? 'threshold' : 'normal'
      if (!isOwn || !change.rule.rule.transitions.includes(kind)) continue
      const { issueId, rule } = change
      queued.push({ projectId, issueId, kind, at: now, cause: { ruleId: rule.id } })
    }
    await queueTransitions(tx, queued)
    return queued.length
  })
}

/** Returns whether this process made the change, rather than another one. */
async function writeState(
  tx: Tx,
  { rule, projectId, issueId, isFired, firedAt }: ThresholdChange,
  now: number,
): Promise<boolean> {
  const key = { project_id: projectId, issue_id: issueId, rule_id: rule.id }
  if (firedAt === undefined) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('alert_thresholds')
      .values({ ...key, fired_at: now })
      .onConflict((on) => on.doNothing())
      .executeTakeFirst()
    return Number(numInsertedOrUpdatedRows) > 0
  }
  const isKey = { ...key, fired_at: firedAt }
  if (isFired) {
    const { numUpdatedRows } = await tx
      .updateTable('alert_thresholds')
      .set({ fired_at: now })
      .where((is) => is.and(isKey))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
  const { numDeletedRows } = await tx
    .deleteFrom('alert_thresholds')
    .where((is) => is.and(isKey))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
