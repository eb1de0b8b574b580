import { limits } from '#server/limits.ts'
import type { StoreEngine } from '#server/store/engine/engine.ts'
import type { EventPoint } from './issue-batch-counts.ts'

/** Where the row of a group hash leads. */
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
  /** It is resolved or archived. */
  isClosed: boolean
}

/** The recently written fields of an issue. */
export interface KnownTraits {
  /** Of the texts. */
  hashes: Set<string>
  /** When the first of them was written, in Unix milliseconds. */
  since: number
}

/**
 * Caches what batches have read and written. Each transaction checks when it begins what others have written
 * since: ingest of other processes changes the rows of issues, and users merge, delete and resolve issues
 * through another connection or this one.
 */
export interface BatchMemory {
  /** By project and group hash. */
  readonly hashes: Map<string, KnownHash>
  /** By id; none that is resolved or archived, and no parts. */
  readonly issues: Map<number, KnownIssue>
  /** By id of an issue or a part. */
  readonly traits: Map<number, KnownTraits>
  /** Rows that are there: see `rememberRow`. */
  readonly rows: Set<string>
  /**
   * Call after a transaction has begun: clears what another connection may have changed since the last one.
   * Returns whether none has written.
   */
  begin(): boolean
  /** Call after that transaction has been committed. */
  committed(): void
  /** Call after a rollback: cached rows of the transaction do not exist. */
  forget(): void
}

/** Creates an empty cache for one connection. */
export function createBatchMemory(engine: StoreEngine): BatchMemory {
  const watch = engine.watchWrites()
  const hashes = new Map<string, KnownHash>()
  const issues = new Map<number, KnownIssue>()
  const traits = new Map<number, KnownTraits>()
  const rows = new Set<string>()
  const forget = () => {
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
    begin() {
      const isFull = Math.max(hashes.size, issues.size, rows.size) > limits.rememberedStoreRows
      const writes = watch.begin()
      if (writes === 'any' || isFull) forget()
      else if (writes === 'noDeletions') issues.clear()
      return writes === 'none'
    },
    committed: () => watch.committed(),
    forget,
  }
}

/** Names a row in `BatchMemory.rows`. */
export function rowKey(key: readonly (string | number)[]): string {
  return key.join('\0')
}

/** Returns whether a row is known to exist, and records it as existing: the caller inserts it. */
export function rememberRow({ rows }: BatchMemory, key: readonly (string | number)[]): boolean {
  const text = rowKey(key)
  if (rows.has(text)) return true
  rows.add(text)
  return false
}
