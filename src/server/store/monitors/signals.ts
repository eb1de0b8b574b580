import * as v from 'valibot'
import type { CheckSeen } from '#monitors/uptime.ts'
import { monitorSignal, type MonitorSignal } from '#monitors/verdicts.ts'
import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { ProjectFailures } from '#server/store/project-failures.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { startSystemAction } from '#server/store/triage/activity.ts'
import { changeState, selectIssues } from '#server/store/triage/changed-issues.ts'
import { findMergedInto } from '#server/store/triage/merged-issue.ts'
import { parseColumn } from '#server/store/unreadable-rows.ts'
import { parseSeen } from './listed-monitors.ts'
import { toMonitor, type Monitor } from './monitors.ts'
import { assignToMonitorOwner } from './owners.ts'

/** A failure or recovery, from which an event of an issue is created, or its resolution. */
export interface QueuedSignal {
  id: string
  monitor: Monitor
  environment: string
  signal: MonitorSignal
  /** 32 lower-case hex digits. */
  eventId: string
  /** The release of the check-in. */
  release?: string
  traceId?: string
  body?: string
  /** The response of the check. */
  seen?: CheckSeen
}

const signalText = v.pipe(v.string(), v.parseJson(), monitorSignal)

/** The id of a queued signal. */
interface SignalReference {
  projectId: number
  id: string
}

/**
 * The oldest queued signals of each project that has not failed in this tick. `unreadable`: those that this
 * version cannot read, or whose monitor it cannot read.
 */
export async function listSignals(
  db: Db,
  { projectIds: failedIds }: ProjectFailures,
): Promise<{ signals: QueuedSignal[]; unreadable: SignalReference[] }> {
  const rows = await db
    .selectFrom('monitor_signals as s')
    .innerJoin('monitors as m', (on) =>
      on.onRef('m.project_id', '=', 's.project_id').onRef('m.id', '=', 's.monitor_id'),
    )
    .select(['s.id as signal_id', 's.environment', 's.signal', 's.event_id'])
    .selectAll('m')
    .$if(failedIds.length > 0, (of) => of.where('s.project_id', 'not in', failedIds))
    .orderBy('s.project_id')
    .orderBy('s.id')
    .limit(limits.monitorSignalsAtOnce)
    .execute()
  const unreadable: SignalReference[] = []
  const signals = rows.flatMap((row) => {
    const { signal_id: id, project_id: projectId } = row
    const signal = parseColumn(signalText, row.signal, { table: 'monitor_signals', id })
    const monitor = toMonitor(row)
    if (signal !== undefined && monitor !== undefined) return [{ row, signal, monitor }]
    unreadable.push({ projectId, id })
    return []
  })
  const checkIns = await readCheckIns(
    db,
    signals.map(({ row, signal }) => ({ projectId: row.project_id, checkInId: signal.checkInId })),
  )
  const queued = signals.map(({ row, signal, monitor }): QueuedSignal => {
    const { signal_id: id, environment, event_id: eventId } = row
    const checkIn = checkIns.get(`${row.project_id} ${signal.checkInId}`)
    return Object.assign({ id, monitor, environment, signal, eventId }, checkIn)
  })
  return { signals: queued, unreadable }
}

async function readCheckIns(
  db: Db,
  wanted: readonly { projectId: number; checkInId: string }[],
): Promise<Map<string, Pick<QueuedSignal, 'release' | 'traceId' | 'body' | 'seen'>>> {
  if (wanted.length === 0) return new Map()
  const rows = await db
    .selectFrom('monitor_check_ins')
    .select(['project_id', 'id', 'release', 'trace_id', 'body', 'seen'])
    .where('project_id', 'in', [...new Set(wanted.map(({ projectId }) => projectId))])
    .where(
      'id',
      'in',
      wanted.map(({ checkInId }) => checkInId),
    )
    .execute()
  return new Map(
    rows.map((row) => [
      `${row.project_id} ${row.id}`,
      {
        release: row.release ?? undefined,
        traceId: row.trace_id ?? undefined,
        body: row.body ?? undefined,
        seen: parseSeen(row),
      },
    ]),
  )
}

/** Deletes signals of monitors that were deleted. */
export async function deleteLostSignals(store: Store): Promise<void> {
  const lost = await store.db
    .selectFrom('monitor_signals as s')
    .leftJoin('monitors as m', (on) =>
      on.onRef('m.project_id', '=', 's.project_id').onRef('m.id', '=', 's.monitor_id'),
    )
    .select(['s.project_id', 's.id'])
    .where('m.id', 'is', null)
    .limit(limits.monitorSignalsAtOnce)
    .execute()
  for (const { project_id: projectId, id } of lost) await deleteSignal(store, { projectId, id })
}

/** Deletes a signal without an effect. */
export async function deleteSignal(store: Store, { projectId, id }: SignalReference): Promise<void> {
  await store.writer
    .deleteFrom('monitor_signals')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

/** Records that the event of a failure is committed, with its issue, assigned to the monitor's owner. */
export async function recordFailureEvent(
  store: Store,
  { monitor, environment, eventId, id }: QueuedSignal,
  now: number,
): Promise<void> {
  const { projectId } = monitor
  const issueId = await findIssueOfEvent(store.db, projectId, eventId)
  await store.writer.transaction().execute(async (tx) => {
    await tx
      .updateTable('monitor_environments')
      .set({ latest_event_id: toIdBytes(eventId), ...(issueId !== undefined && { issue_id: issueId }) })
      .where('project_id', '=', projectId)
      .where('monitor_id', '=', monitor.id)
      .where('environment', '=', environment)
      .execute()
    if (issueId !== undefined) await assignToMonitorOwner(tx, monitor, { issueId, now })
    await tx.deleteFrom('monitor_signals').where('project_id', '=', projectId).where('id', '=', id).execute()
  })
}

/** An event is moved when its issue is merged. It is not stored if it was only counted. */
async function findIssueOfEvent(
  db: Db,
  projectId: number,
  eventId: string | Uint8Array,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('events')
    .select('issue_id')
    .where('project_id', '=', projectId)
    .where('event_id', '=', typeof eventId === 'string' ? toIdBytes(eventId) : eventId)
    .executeTakeFirst()
  return row?.issue_id
}

/** The issue with an id, or the one that it was merged into. */
async function findKeptIssue(
  db: Db,
  projectId: number,
  issueId?: number | null,
): Promise<number | undefined> {
  if (issueId === undefined || issueId === null) return undefined
  return (await findMergedInto(db, { issueId, projectIds: [projectId] })) ?? issueId
}

/** Resolves the issue of a monitor that has recovered, unless a user has closed it. */
export async function recordRecovery(
  store: Store,
  { monitor, environment, id }: QueuedSignal,
  now: number,
): Promise<void> {
  const { projectId } = monitor
  const row = await store.db
    .selectFrom('monitor_environments')
    .select(['latest_event_id', 'issue_id'])
    .where('project_id', '=', projectId)
    .where('monitor_id', '=', monitor.id)
    .where('environment', '=', environment)
    .executeTakeFirst()
  const ofEvent = row?.latest_event_id
    ? await findIssueOfEvent(store.db, projectId, row.latest_event_id)
    : undefined
  const issueId = ofEvent ?? (await findKeptIssue(store.db, projectId, row?.issue_id))
  await store.writer.transaction().execute(async (tx) => {
    if (issueId !== undefined) {
      const [issue] = await selectIssues(tx, { issueIds: [issueId], projectIds: [projectId] })
      if (issue?.state.status === 'unresolved')
        await changeState(tx, startSystemAction(now), {
          issue,
          event: { kind: 'resolve', at: now, condition: null, isRecovery: true },
        })
    }
    await tx.deleteFrom('monitor_signals').where('project_id', '=', projectId).where('id', '=', id).execute()
  })
}
