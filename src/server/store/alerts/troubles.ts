import { toTroubleNotice, troubleKinds, type TroubleKind } from '#alerts/notice.ts'
import { limits } from '#server/limits.ts'
import type { FreeSpace } from '#server/store/engine/sqlite/free-space.ts'
import { noFailures, type ProjectFailures } from '#server/store/project-failures.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { parseUpstreamState } from '#server/store/upstreams/upstreams.ts'
import { noIssueId, queueTransitions } from './queue.ts'

/** An active ingest problem of a project. */
interface StandingTrouble {
  projectId: number
  kind: TroubleKind
  subject: string
  /** The host of an upstream and its answer. */
  detail?: string
}

/** Problems that ingest itself records, see `noteTrouble`. They end after a time without rejections. */
const notedKinds = new Set<TroubleKind>(['rate_limit', 'spike'])

/**
 * Compares current problems with those that were reported, and queues transitions for those that have begun
 * or ended, in one transaction for each project. Of several processes, the one that inserts or deletes the
 * row queues the transition. Returns the number of changes. `now` in Unix milliseconds; `space`: the disk's,
 * if this process knows it.
 */
export async function compareTroubles(
  store: Store,
  {
    now,
    space,
    failures = noFailures,
  }: { now: number; space: FreeSpace | undefined; failures?: ProjectFailures },
): Promise<number> {
  const [standing, known] = await Promise.all([
    listStanding(store, space),
    store.db.selectFrom('alert_troubles').selectAll().where('kind', 'in', troubleKinds).execute(),
  ])
  const keys = new Set(standing.map(toKey))
  const knownKeys = new Set(known.map(({ project_id, kind, subject }) => `${project_id} ${kind} ${subject}`))
  const begun = standing.filter((each) => !knownKeys.has(toKey(each)))
  const over = known.flatMap((row): OverTrouble[] => {
    const kind = troubleKinds.find((each) => each === row.kind)
    if (kind === undefined) return []
    const each = { projectId: row.project_id, kind, subject: row.subject, lastAt: row.last_at }
    if (notedKinds.has(kind))
      // The absolute difference: a clock that was set back must not keep a problem active.
      return Math.abs(now - row.last_at) >= limits.alertTroubleQuietMs ? [each] : []
    // Only a process on the machine with the database knows its disk.
    const isUnknown = kind.startsWith('disk') && space === undefined
    return isUnknown || keys.has(toKey(each)) || isNearlyFull(kind, space) ? [] : [each]
  })
  if (begun.length === 0 && over.length === 0) return 0
  for (const projectId of new Set([...begun, ...over].map((each) => each.projectId)))
    await failures.attempt(projectId, () =>
      store.writer.transaction().execute(async (tx) => {
        for (const each of begun) if (each.projectId === projectId) await beginTrouble(tx, each, now)
        for (const each of over) if (each.projectId === projectId) await endTrouble(tx, each, now)
      }),
    )
  return begun.length + over.length
}

/** True if a project has an active problem of this kind. One statement. */
export async function isInTrouble(db: Db, projectId: number, kind: TroubleKind): Promise<boolean> {
  const row = await db
    .selectFrom('alert_troubles')
    .select('since_at')
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type OverTrouble = StandingTrouble & { lastAt: number }

function toKey({ projectId, kind, subject }: Omit<StandingTrouble, 'detail'>): string {
  return `${projectId} ${kind} ${subject}`
}

/** Hysteresis: between the floor and a clear distance above it, no problem begins or ends. */
function isNearlyFull(kind: TroubleKind, space: FreeSpace | undefined): boolean {
  if (space === undefined || !kind.startsWith('disk')) return false
  return space.freeBytes < floorOf(kind, space) * limits.freeSpaceResumeFactor
}

/** Retention begins to delete early at twice the floor at which ingest stops. */
function floorOf(kind: TroubleKind, { floorBytes }: FreeSpace): number {
  return kind === 'disk_full' ? floorBytes : 2 * floorBytes
}

async function listStanding({ db }: Store, space: FreeSpace | undefined): Promise<StandingTrouble[]> {
  const isLow = (kind: TroubleKind) => space !== undefined && space.freeBytes < floorOf(kind, space)
  const [upstreams, builtIn] = await Promise.all([
    db
      .selectFrom('upstreams')
      .select(['project_id', 'id', 'dsn', 'state', 'failed_count'])
      .where('is_paused', '=', 0)
      .where('is_retired', '=', 0)
      .execute(),
    isLow('disk_low')
      ? db.selectFrom('projects').select('id').where('is_built_in', '=', 1).executeTakeFirst()
      : undefined,
  ])
  const refusing = upstreams.flatMap(({ project_id, id, dsn, state, failed_count }): StandingTrouble[] => {
    const { failureCount = 0, answer = 'no answer' } = parseUpstreamState(state)
    const host = URL.parse(dsn)?.host ?? 'unknown host'
    const isDown = failureCount >= limits.alertUpstreamFailures
    const troubles = [
      { isStanding: isDown, subject: id, detail: `${host}, ${answer}` },
      // Separate, because a rejected envelope may be kept for days, and must not hide an outage.
      { isStanding: failed_count > 0, subject: `${id} rejected`, detail: `${host}, one was rejected` },
    ]
    return troubles.flatMap(({ isStanding, subject, detail }) =>
      isStanding ? [{ projectId: project_id, kind: 'upstream', subject, detail }] : [],
    )
  })
  if (builtIn === undefined) return refusing
  const disk = (kind: TroubleKind): StandingTrouble[] =>
    isLow(kind) ? [{ projectId: builtIn.id, kind, subject: '' }] : []
  return [...refusing, ...disk('disk_low'), ...disk('disk_full')]
}

async function beginTrouble(
  tx: Tx,
  { projectId, kind, subject, detail }: StandingTrouble,
  now: number,
): Promise<void> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('alert_troubles')
    .values({ project_id: projectId, kind, subject, since_at: now, last_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return
  const notice = toTroubleNotice(kind, { subject, detail })
  await queueTransitions(tx, [{ projectId, issueId: noIssueId, kind: 'trouble', at: now, cause: { notice } }])
}

async function endTrouble(
  tx: Tx,
  { projectId, kind, subject, lastAt }: OverTrouble,
  now: number,
): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('alert_troubles')
    .where((is) => is.and({ project_id: projectId, kind, subject, last_at: lastAt }))
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  const notice = toTroubleNotice(kind, { subject, isOver: true })
  await queueTransitions(tx, [
    { projectId, issueId: noIssueId, kind: 'trouble_over', at: now, cause: { notice } },
  ])
}
