import type { LockedProjects, ProjectsWanted } from '#server/store/engine/write-gate.ts'
import { isBusyError } from '#server/store/errors.ts'
import type { ConnectionStatement, QueryResult } from './connection-message.ts'
import type { ConnectionWorker } from './connection-worker.ts'

/**
 * Key of the advisory lock of writers: any number that no other program uses. Writes by users and by
 * retention take it exclusively. Ingest shares it, and also takes the lock of each project whose rows it
 * writes.
 */
const writeLockKey = 0x63_75_6c_77

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

const settingsSql = `SELECT ${[
  "set_config('lock_timeout', $1, true)",
  `set_config('plan_cache_mode', ${planMode}, true)`,
  ...Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`),
].join(', ')}`

const lockOf = (id: string) => `${writeLockKey}, (${id} % 2147483647)::integer`

/** The projects that were locked, and those that were not. The transaction id is assigned after the locks. */
const tryProjects = (wanted: string) => `WITH tried AS MATERIALIZED (
    SELECT id, pg_try_advisory_xact_lock(${lockOf('id')}) AS is_locked FROM (${wanted}) AS wanted)
  SELECT string_agg(id::text, ',') FILTER (WHERE is_locked) AS locked,
    coalesce(bool_and(is_locked), true) AS are_all,
    CASE WHEN coalesce(bool_or(is_locked), true) THEN pg_current_xact_id()::text::bigint END AS transaction_id,
    pg_postmaster_start_time()::text AS server_start,
    (SELECT last_value FROM exclusive_writes) AS exclusive_writes
  FROM tried`

const wantedIds = 'SELECT unnest($1::bigint[]) AS id'
const tryWanted = tryProjects(wantedIds)
const tryWantedAndDeltas = tryProjects(
  `${wantedIds} UNION SELECT project_id FROM counter_deltas UNION SELECT project_id FROM figure_deltas`,
)
const lockProject = `SELECT pg_advisory_xact_lock(${lockOf('$1::bigint')})`

/** A transaction. After a failover, another server may assign its id again. */
export interface NumberedTransaction {
  id: number
  /** The time at which its server was started. */
  serverStart: string
}

/** The locks, and what a transaction of ingest has read at its begin. */
export interface NumberedLocks extends LockedProjects {
  /** The transaction; undefined if it has locked none of the wanted projects. */
  transaction: NumberedTransaction | undefined
  /** The number of transactions that ever excluded all other writers of this database. */
  exclusiveWrites: number
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

/**
 * For a transaction that excludes all other writers. The count is visible immediately, and is not rolled
 * back.
 */
export const countExclusive: ConnectionStatement = { sql: "SELECT nextval('exclusive_writes')" }

/** Milliseconds for which ingest waits for each lock of another process, without blocking this thread. */
const ingestWaitMs = 200

interface BeginOptions {
  lockWaitMs: number
  withNewPlans: boolean
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
  { lockWaitMs, withNewPlans, ahead }: BeginOptions,
  worker: Pick<ConnectionWorker, 'request' | 'requestLater'>,
): Promise<NumberedLocks> {
  const wanted = [...first, ...others]
  const lockAndTry = [
    { sql: `SELECT pg_advisory_xact_lock_shared(${writeLockKey})`, values: [] },
    { sql: withDeltas ? tryWantedAndDeltas : tryWanted, values: [`{${wanted.join(',')}}`] },
    ...ahead,
  ]
  const toLocks = (results: QueryResult[]) => toNumberedLocks(results, ahead.length)
  const begin = withNewPlans ? 'BEGIN; DISCARD PLANS' : 'BEGIN'
  // Blocks the thread, because it rarely waits: between the begin and the end of most batches no other code
  // runs.
  const tried = toLocks(worker.request([{ sql: begin }, set(lockWaitMs), ...lockAndTry]))
  const { projectIds } = tried
  const isEnough = projectIds.size > 0 && !isFirstOverdue && suffices(projectIds)
  if (isEnough || wanted.every((id) => projectIds.has(id))) return tried
  const waitFor = async (awaited: readonly number[]) => {
    const wait = awaited.toSorted((a, b) => a - b).map((id) => ({ sql: lockProject, values: [id] }))
    const statements = [{ sql: 'ROLLBACK; BEGIN' }, set(ingestWaitMs), ...wait, ...lockAndTry]
    return toLocks(await worker.requestLater(statements))
  }
  try {
    return await waitFor(wanted)
  } catch (error) {
    if (!isBusyError(error)) throw error
    // A stopped process may hold one of the other locks.
    return waitFor(first)
  }
}

const set = (waitMs: number) => ({ sql: settingsSql, values: [String(waitMs)] })

/** The locks from the results of the request that tried them, with the results of the statements after it. */
function toNumberedLocks(results: readonly QueryResult[], aheadCount: number): NumberedLocks {
  const {
    locked = null,
    are_all: areAll,
    transaction_id: id = null,
    server_start: serverStart,
    exclusive_writes: exclusiveWrites,
  } = results.at(-1 - aheadCount)?.rows[0] ?? {}
  const projectIds = new Set(locked === null ? [] : String(locked).split(',').map(Number))
  return {
    projectIds,
    areAll: areAll === 1,
    transaction: id === null ? undefined : { id: Number(id), serverStart: String(serverStart) },
    exclusiveWrites: Number(exclusiveWrites),
    results: results.slice(results.length - aheadCount),
  }
}
