import type { LockedProjects, ProjectsWanted } from '#server/store/engine/write-gate.ts'
import { isBusyError } from '#server/store/errors.ts'
import type { ConnectionStatement, QueryResult } from './connection-message.ts'
import type { ConnectionWorker } from './connection-worker.ts'

/**
 * Key of the advisory lock of writers: any number that no other program uses. Writes by users and by
 * retention take it exclusively. Ingest shares it, and also takes the lock of each project whose rows it
 * writes. It shares that lock if it only appends rows.
 */
const writeLockKey = 0x63_75_6c_77

/** Key of the locks of folds, one per project, for transactions that share the lock of the project. */
const foldLockKey = writeLockKey + 1

/** Milliseconds after which the server ends an idle transaction: its process may be suspended. */
const idleMs = 5_000

/**
 * Makes every statement of ingest find its rows by index, whatever the planner knows about a new table, with
 * one plan for sets of all sizes. Citus must see the project in each statement: citus/distribute.sql sets
 * another mode.
 */
const settings = {
  idle_in_transaction_session_timeout: String(idleMs),
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
}

const planMode = "coalesce(current_setting('culvert.plan_cache_mode', true), 'force_generic_plan')"

/**
 * With it, COMMIT releases the locks before the log is on disk, and `flushLog` waits for the disk afterwards.
 * Not on Citus, where one transaction commits on several servers.
 */
const earlyRelease =
  "CASE WHEN current_setting('culvert.plan_cache_mode', true) IS NULL THEN 'off' " +
  "ELSE current_setting('synchronous_commit') END"

const toSettingsSql = (more: Record<string, string>) =>
  `SELECT ${[
    "set_config('lock_timeout', $1, true)",
    `set_config('plan_cache_mode', ${planMode}, true)`,
    ...Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`),
    ...Object.entries(more).map(([name, value]) => `set_config('${name}', ${value}, true)`),
  ].join(', ')}`

const settingsSql = toSettingsSql({})
const contestedSettingsSql = toSettingsSql({ synchronous_commit: earlyRelease })

/**
 * Waits until the log is on disk up to here: a transaction of its own, with an empty message in the log.
 * Everything that the connection has committed before is then on disk, too.
 */
export const flushLog: ConnectionStatement = {
  sql: "SELECT pg_logical_emit_message(true, 'culvert', '')::text",
  values: [],
}

const keyOf = (lock: number, id: string) => `${lock}, (${id} % 2147483647)::integer`
const lockOf = (id: string) => keyOf(writeLockKey, id)

/** The transaction, whose id is assigned after the locks. */
const transactionColumns = `
    CASE WHEN coalesce(bool_or(is_locked), true) THEN pg_current_xact_id()::text::bigint END AS transaction_id,
    pg_postmaster_start_time()::text AS server_start,
    (SELECT last_value FROM exclusive_writes) AS exclusive_writes`

/** The projects that were locked, and whether all were. */
const tryProjects = (wanted: string) => `WITH tried AS MATERIALIZED (
    SELECT id, pg_try_advisory_xact_lock(${lockOf('id')}) AS is_locked FROM (${wanted}) AS wanted)
  SELECT string_agg(id::text, ',') FILTER (WHERE is_locked) AS locked,
    coalesce(bool_and(is_locked), true) AS are_all,
    ${transactionColumns}
  FROM tried`

/** The same for a transaction that shares the projects, with the locks of folds if `withFolds`. */
const shareProjects = (wanted: string, withFolds: boolean) => `WITH tried AS MATERIALIZED (
    SELECT id, pg_try_advisory_xact_lock_shared(${lockOf('id')}) AS is_locked FROM (${wanted}) AS wanted),
  folds AS MATERIALIZED (
    SELECT id, CASE WHEN is_locked
      THEN ${withFolds ? `pg_try_advisory_xact_lock(${keyOf(foldLockKey, 'id')})` : 'false'}
      ELSE false END AS is_foldable
    FROM tried)
  SELECT string_agg(id::text, ',') FILTER (WHERE is_locked) AS locked,
    string_agg(id::text, ',') FILTER (WHERE is_foldable) AS foldable,
    coalesce(bool_and(is_foldable), true) AS are_all,
    ${transactionColumns}
  FROM tried JOIN folds USING (id)`

const wantedIds = 'SELECT unnest($1::bigint[]) AS id'
const wantedAndDeltas = `${wantedIds} UNION SELECT project_id FROM counter_deltas UNION SELECT project_id FROM figure_deltas`
/** By whether they are shared, and whether projects with counter deltas are wanted, too. */
const tries = {
  exclusive: [tryProjects(wantedIds), tryProjects(wantedAndDeltas)],
  shared: [shareProjects(wantedIds, false), shareProjects(wantedAndDeltas, true)],
} as const
const waits = {
  exclusive: `SELECT pg_advisory_xact_lock(${lockOf('$1::bigint')})`,
  shared: `SELECT pg_advisory_xact_lock_shared(${lockOf('$1::bigint')})`,
} as const

/** Whether a transaction excludes others of its projects, or shares these with others that append rows. */
export type LockMode = keyof typeof waits

/** A transaction. After a failover, another server may assign its id again. */
export interface NumberedTransaction {
  id: number
  /** The time at which its server was started. */
  serverStart: string
  /** True if others may write rows of the same projects at the same time. */
  isShared?: boolean
}

/** The locks, and what a transaction of ingest has read at its begin. */
export interface NumberedLocks extends LockedProjects {
  /** The transaction; undefined if it has locked none of the wanted projects. */
  transaction: NumberedTransaction | undefined
  /** The number of transactions that ever excluded all other writers of this database. */
  exclusiveWrites: number
  /** True if COMMIT does not wait for the disk: `flushLog` must follow it. */
  releasesEarly: boolean
  /** Results of the statements `ahead`, which ran after the locks were taken. */
  results: readonly QueryResult[]
}

/**
 * Begins a transaction that excludes all other writers. Before it changes rows that they may have cached, it
 * increments the count with `countExclusive`.
 */
export function lockEverything(lockWaitMs: number): ConnectionStatement[] {
  return [
    {
      sql:
        `BEGIN; SET LOCAL lock_timeout = ${lockWaitMs}; ` +
        `SET LOCAL idle_in_transaction_session_timeout = ${idleMs}; SELECT pg_advisory_xact_lock(${writeLockKey}); ` +
        // Invalidates the caches of other connections. On Citus, writing rows on one node assigns no
        // transaction id.
        'SELECT pg_current_xact_id()',
    },
  ]
}

/** For a transaction that excludes all other writers. The count is visible at once and not rolled back. */
export const countExclusive: ConnectionStatement = { sql: "SELECT nextval('exclusive_writes')" }

/** Milliseconds for which ingest waits for each lock of another process, without blocking this thread. */
const ingestWaitMs = 200

interface BeginOptions {
  lockWaitMs: number
  withNewPlans: boolean
  /** True if another process has recently held the locks: waits for them without trying first. */
  isContested: boolean
  mode: LockMode
  /** Reads of the transaction, in the same round trip. */
  ahead: readonly ConnectionStatement[]
}

/**
 * Begins a transaction that shares the lock of writers, and takes the locks of those projects that no other
 * transaction has locked. If these do not suffice, or the oldest entry has waited for too long, it waits for
 * all: processes that write the same projects take turns, each with all entries that have arrived meanwhile.
 * If that takes too long, it takes the locks of the oldest entry's projects and the free ones.
 *
 * It waits for projects in the order of their ids, and before it shares the lock of writers, so that there is
 * no deadlock.
 */
export async function lockProjects(
  { first, others, isFirstOverdue, withDeltas, suffices }: ProjectsWanted,
  { lockWaitMs, withNewPlans, isContested, mode, ahead }: BeginOptions,
  worker: Pick<ConnectionWorker, 'request' | 'requestLater'>,
): Promise<NumberedLocks> {
  const wanted = [...first, ...others]
  const lockAndTry = [
    { sql: `SELECT pg_advisory_xact_lock_shared(${writeLockKey})`, values: [] },
    { sql: tries[mode][withDeltas ? 1 : 0], values: [`{${wanted.join(',')}}`] },
    ...ahead,
  ]
  const toLocks = (results: QueryResult[], releasesEarly: boolean): NumberedLocks => ({
    ...toNumberedLocks(results, { aheadCount: ahead.length, isShared: mode === 'shared' }),
    releasesEarly,
  })
  let begin = withNewPlans ? 'BEGIN; DISCARD PLANS' : 'BEGIN'
  if (!isContested) {
    // Blocks the thread, because it rarely waits: between the begin and the end of most batches no other code
    // runs.
    const tried = toLocks(worker.request([{ sql: begin }, set(lockWaitMs), ...lockAndTry]), false)
    const { projectIds } = tried
    const isEnough = projectIds.size > 0 && !isFirstOverdue && suffices(projectIds)
    if (isEnough || wanted.every((id) => projectIds.has(id))) return tried
    begin = 'ROLLBACK; BEGIN'
  }
  const waitFor = async (awaited: readonly number[]) => {
    const wait = awaited.toSorted((a, b) => a - b).map((id) => ({ sql: waits[mode], values: [id] }))
    const statements = [{ sql: begin }, setContested, ...wait, ...lockAndTry]
    return toLocks(await worker.requestLater(statements), true)
  }
  try {
    return await waitFor(wanted)
  } catch (error) {
    if (!isBusyError(error)) throw error
    // A stopped process may hold one of the other locks.
    begin = 'ROLLBACK; BEGIN'
    return waitFor(first)
  }
}

const set = (waitMs: number) => ({ sql: settingsSql, values: [String(waitMs)] })
const setContested = { sql: contestedSettingsSql, values: [String(ingestWaitMs)] }

/** The locks from the results of the request that tried them, with the results of the statements after it. */
function toNumberedLocks(
  results: readonly QueryResult[],
  { aheadCount, isShared }: { aheadCount: number; isShared: boolean },
): Omit<NumberedLocks, 'releasesEarly'> {
  const {
    locked = null,
    foldable = null,
    are_all: areAll,
    transaction_id: id = null,
    server_start: serverStart,
    exclusive_writes: exclusiveWrites,
  } = results.at(-1 - aheadCount)?.rows[0] ?? {}
  const projectIds = toIds(locked)
  return {
    projectIds,
    foldableIds: isShared ? toIds(foldable) : projectIds,
    isShared,
    areAll: areAll === 1,
    transaction: id === null ? undefined : { id: Number(id), serverStart: String(serverStart), isShared },
    exclusiveWrites: Number(exclusiveWrites),
    results: results.slice(results.length - aheadCount),
  }
}

function toIds(text: unknown): Set<number> {
  return new Set(typeof text === 'string' ? text.split(',').map(Number) : [])
}
