import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { ReadStatement } from '#server/store/engine/connection.ts'
import type { StoreEngine } from '#server/store/engine/engine.ts'
import type { EventPoint } from './issue-batch-counts.ts'
import type { EventRecord } from './records.ts'
import { createReleaseLimit, type ReleaseLimit } from './release-limit.ts'

/** The issue that a group hash belongs to. */
export interface KnownHash {
  issueId: number
  partId?: number
}

/** The fields of an issue's row that a batch needs. */
export interface KnownIssue {
  first: EventPoint
  latest: EventPoint
  firstRelease?: string
  title: string
  culprit: string
  /** True for a resolved or archived issue. */
  isClosed: boolean
}

/** The search texts of an issue that were written recently. */
export interface KnownTraits {
  /** Hashes of the texts. */
  hashes: Set<string>
  /** When the first of the texts was written, in Unix milliseconds. */
  since: number
}

/**
 * Caches rows that batches have read and written. It only saves time, which `npm run bench -- committer`
 * measures. At its begin, each transaction checks whether other connections have written since: ingest of
 * other processes changes the rows of issues, and users merge, delete and resolve issues through another
 * connection or this one.
 */
export interface BatchCache {
  /** Group hashes by project and hash. */
  readonly hashes: Map<string, KnownHash>
  /** Open issues by id. Closed and merged issues are not cached. */
  readonly issues: Map<number, KnownIssue>
  /** Search texts by the id of an issue or a merged issue. */
  readonly traits: Map<number, KnownTraits>
  /** Keys of rows that exist: see `cacheRow`. */
  readonly rows: Set<string>
  /** Counts the releases that transactions have created. */
  readonly releaseLimit: ReleaseLimit
  /**
   * Call after a transaction has begun: clears the entries that another connection may have changed since the
   * last transaction. Returns true if no other connection has written.
   */
  begin(): boolean
  /** Call after that transaction has been committed. */
  committed(): void
  /** Call after a rollback: rows that the transaction has inserted do not exist. */
  rolledBack(): void
}

/** Creates an empty cache for one connection. */
export function createBatchCache(engine: StoreEngine): BatchCache {
  const watch = engine.watchWrites()
  const hashes = new Map<string, KnownHash>()
  const issues = new Map<number, KnownIssue>()
  const traits = new Map<number, KnownTraits>()
  const rows = new Set<string>()
  const releaseLimit = createReleaseLimit()
  const clear = () => {
    hashes.clear()
    issues.clear()
    traits.clear()
    rows.clear()
  }

  return {
    hashes,
    issues,
    traits,
    rows,
    releaseLimit,
    begin() {
      const isFull = Math.max(hashes.size, issues.size, rows.size) > limits.cachedStoreRows
      const writes = watch.begin()
      if (writes === 'any' || isFull) clear()
      else if (writes === 'noDeletions') issues.clear()
      return writes === 'none'
    },
    committed() {
      watch.committed()
      releaseLimit.committed()
    },
    rolledBack() {
      clear()
      releaseLimit.rolledBack()
    },
  }
}

/** The key of a row in `BatchCache.rows`. */
export function rowKey(key: readonly (string | number)[]): string {
  return key.join('\0')
}

/** Returns whether a row is known to exist, and marks it as existing: the caller inserts it. */
export function cacheRow({ rows }: BatchCache, key: readonly (string | number)[]): boolean {
  const text = rowKey(key)
  if (rows.has(text)) return true
  rows.add(text)
  return false
}

interface HashReader {
  statements: { findIssueOfHash: ReadStatement }
  cache: BatchCache
}

/**
 * Finds the issue of an event's hash, or else of its earlier hash, so that an update splits no issue. Caches
 * it for both.
 */
export function findKnownHash(
  reader: HashReader,
  { projectId, groupHash, earlierGroupHash }: EventRecord,
): KnownHash | undefined {
  const known = findHash(reader, projectId, groupHash)
  if (known !== undefined || earlierGroupHash === undefined) return known
  const earlier = findHash(reader, projectId, earlierGroupHash)
  if (earlier !== undefined) reader.cache.hashes.set(hashKey(projectId, groupHash), earlier)
  return earlier
}

function findHash(
  { statements, cache: { hashes } }: HashReader,
  projectId: number,
  groupHash: string,
): KnownHash | undefined {
  const key = hashKey(projectId, groupHash)
  const cached = hashes.get(key)
  if (cached !== undefined) return cached
  const row = statements.findIssueOfHash.get(projectId, toIdBytes(groupHash))
  if (row === undefined) return undefined
  const partId = row['part_id']
  const known = { issueId: Number(row['issue_id']), ...(typeof partId === 'number' && { partId }) }
  hashes.set(key, known)
  return known
}

function hashKey(projectId: number, groupHash: string): string {
  return `${projectId}:${groupHash}`
}
