import { Kysely, type KyselyPlugin } from 'kysely'
import { errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { StoreLog } from '#server/store/condition.ts'
import type { ReadClient } from '#server/store/engine/postgres/clients/pooled-client.ts'
import { createReaderDialect } from '#server/store/engine/postgres/kysely-dialect.ts'
import {
  createPool,
  hasPreparedNames,
  type PoolOptions,
  type QueriedServer,
} from '#server/store/engine/postgres/pool.ts'
import { NamedReads } from '#server/store/engine/postgres/statements/named-reads.ts'
import { databaseName } from '#server/store/engine/postgres/url.ts'
import type { ReadReplica } from '#server/store/engine/read-replica.ts'
import { toReadLog, type OpenStoreOptions } from '#server/store/engine/store-parts.ts'
import type { Database } from '#server/store/schema/database.ts'
import { ReplicaClient } from './client.ts'
import { checkStandby, readLogEnd, type CheckedStandby } from './standby-check.ts'

export interface OpenReplicaOptions extends Omit<PoolOptions, 'answerMs'> {
  /** The primary server. */
  primary: QueriedServer
  connectPrimary: () => ReadClient
  log: StoreLog | undefined
  onStatement: ((sql: string) => void) | undefined
  plugins: KyselyPlugin[]
  onRead: OpenStoreOptions['onRead']
}

/**
 * Opens a standby of PostgreSQL's streaming replication for reads. Connects at the first read; a standby that
 * is down is not an error. Statements check its state at most every `limits.replicaCheckMs`.
 */
export function openReplica(options: OpenReplicaOptions): ReadReplica {
  const { url, primary, connectPrimary, log, onStatement, plugins, onRead } = options
  const pool = createPool({ ...options, answerMs: limits.replicaAnswerMs })
  const pooled = { pool, reads: new NamedReads(hasPreparedNames(url)) }
  // The next statement replaces a connection that is lost while idle.
  pool.on('error', () => undefined)
  const name = databaseName(url)
  let fallbackCount = 0
  let checking: Promise<CheckedStandby> | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  let state: CheckedStandby = { isUsed: false, problem: 'it has not been checked yet', replayed: 0 }
  let wasUsed = true

  function accept(found: CheckedStandby): CheckedStandby {
    checkedAt = performance.now()
    state = found
    if (found.isUsed !== wasUsed) {
      wasUsed = found.isUsed
      if (found.isUsed) log?.info({ replica: name }, 'reads go to the replica again')
      else
        log?.error(
          { replica: name, problem: found.problem },
          'the replica for reads is not used: the primary answers',
        )
    }
    return found
  }

  const check = () =>
    (checking ??= checkStandby(primary, pool)
      .then(accept)
      .finally(() => {
        checking = undefined
      }))

  /** Waits for a check only if the replica has answered the last one. */
  async function isUsed(): Promise<boolean> {
    const isFirst = checkedAt === Number.NEGATIVE_INFINITY
    if (performance.now() - checkedAt < limits.replicaCheckMs) return state.isUsed
    const checked = check()
    return isFirst || state.isUsed ? (await checked).isUsed : false
  }

  const connect = () =>
    new ReplicaClient({
      ...pooled,
      isUsed,
      connectPrimary,
      onFallback(loss) {
        fallbackCount += 1
        if (loss !== undefined)
          accept({ isUsed: false, problem: `it does not answer: ${errorMessage(loss)}`, replayed: 0 })
      },
    })
  return {
    name,
    db: new Kysely<Database>({
      dialect: createReaderDialect({ pool, connect, ...(onStatement && { onStatement }) }),
      plugins,
      ...toReadLog(onRead),
    }),
    get state() {
      return state
    },
    check,
    readPosition: () => readLogEnd(primary),
    async hasReplayed(position) {
      if (!(await isUsed())) return false
      const { isUsed: isStillUsed, replayed } = state.replayed >= position ? state : await check()
      return isStillUsed && replayed >= position
    },
    get fallbackCount() {
      return fallbackCount
    },
  }
}
