import { sql } from 'kysely'
import { checkInStatuses, type CheckInStatus } from '#monitors/verdicts.ts'
import { forEachSlice } from '#server/store/row-slices.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import { dayMs, hourMs, stepOf, type TimeSteps } from '#time/time-steps.ts'
import type { Monitor } from './monitors.ts'
import type { StatusStep } from './records.ts'

/** The lengths of the steps in which ends are counted. */
const fineMs = hourMs / 2
const countedSteps = [fineMs, dayMs]

/** An end of a run or a check. */
interface CountedEnd {
  monitorId: string
  environment: string
  status: CheckInStatus
  at: number
  durationMs?: number | undefined
}

interface Delta {
  monitorId: string
  environment: string
  status: CheckInStatus
  stepMs: number
  at: number
  quantity: number
  durationCount: number
  durationTotalMs: number
}

/** The counts of a transaction, by step and status. */
export class CountDeltas {
  private readonly deltas = new Map<string, Delta>()

  /** Adds an end, or with -1 subtracts it. A run that has not ended is not counted. */
  add({ monitorId, environment, status, at, durationMs }: CountedEnd, sign: 1 | -1): void {
    if (status === 'in_progress') return
    for (const stepMs of countedSteps) {
      const step = { monitorId, environment, stepMs, at: stepOf(at, stepMs), status }
      const key = JSON.stringify(Object.values(step))
      const delta = this.deltas.get(key) ?? { ...step, quantity: 0, durationCount: 0, durationTotalMs: 0 }
      delta.quantity += sign
      if (durationMs !== undefined) {
        delta.durationCount += sign
        delta.durationTotalMs += sign * durationMs
      }
      this.deltas.set(key, delta)
    }
  }

  /** In key order, in which all transactions lock rows. */
  list(): Delta[] {
    return [...this.deltas.entries()]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, delta]) => delta)
  }
}

/** Adds deltas to the counts of a project. Call inside a transaction. */
export async function writeCounts(tx: Tx, projectId: number, deltas: CountDeltas): Promise<void> {
  const rows = deltas.list()
  await forEachSlice(rows, (slice) =>
    tx
      .insertInto('monitor_counts')
      .values(
        slice.map((row) => ({
          project_id: projectId,
          monitor_id: row.monitorId,
          environment: row.environment,
          step_ms: row.stepMs,
          at: row.at,
          status: row.status,
          quantity: row.quantity,
          duration_count: row.durationCount,
          duration_total_ms: Math.round(row.durationTotalMs),
        })),
      )
      .onConflict((on) =>
        on
          .columns(['project_id', 'monitor_id', 'environment', 'step_ms', 'at', 'status'])
          .doUpdateSet((is) => ({
            quantity: is('monitor_counts.quantity', '+', is.ref('excluded.quantity')),
            duration_count: is('monitor_counts.duration_count', '+', is.ref('excluded.duration_count')),
            duration_total_ms: is(
              'monitor_counts.duration_total_ms',
              '+',
              is.ref('excluded.duration_total_ms'),
            ),
          })),
      )
      .execute(),
  )
}

/** Ends of runs by environment, step and status. A step is a multiple of half an hour, or of a day. */
export async function countCheckIns(
  db: Db,
  monitors: readonly Pick<Monitor, 'projectId' | 'id'>[],
  { since, stepMs, stepCount }: TimeSteps,
): Promise<StatusStep[]> {
  if (monitors.length === 0) return []
  const step = sql<number>`cast((at - ${since}) / ${stepMs} as integer)`
  const rows = await db
    .selectFrom('monitor_counts')
    .select(['monitor_id', 'environment', 'status', step.as('step')])
    .select((of) => [
      of.fn.sum<number>('quantity').as('count'),
      of.fn.sum<number>('duration_count').as('duration_count'),
      of.fn.sum<number>('duration_total_ms').as('duration_total_ms'),
    ])
    .where('project_id', 'in', [...new Set(monitors.map(({ projectId }) => projectId))])
    .where(
      'monitor_id',
      'in',
      monitors.map(({ id }) => id),
    )
    .where('step_ms', '=', stepMs % dayMs === 0 ? dayMs : fineMs)
    .where('at', '>=', since)
    .where('at', '<', since + stepMs * stepCount)
    .groupBy(['monitor_id', 'environment', 'status', sql.ref('step')])
    .execute()
  return rows.map((row) => ({
    monitorId: row.monitor_id,
    environment: row.environment,
    status: checkInStatuses.find((status) => status === row.status) ?? 'unknown',
    step: row.step,
    count: row.count,
    durationCount: row.duration_count,
    durationTotalMs: row.duration_total_ms,
  }))
}
