import type { DatabaseSync } from 'node:sqlite'
import { limits } from '#server/limits.ts'
import type { EventPlace } from './issue-tally.ts'

/** Where the row of a group hash leads. */
export interface KnownHash {
  issueId: number
  partId?: number
}

/** What a batch has to know of an issue's row. */
export interface KnownIssue {
  first: EventPlace
  latest: EventPlace
  firstRelease?: string
  title: string
  culprit: string
  /** It is resolved or archived. */
  isClosed: boolean
}

/** What was written of an issue of late. */
export interface KnownTraits {
  /** Of the texts. */
  hashes: Set<string>
  /** When the first of them was written, in Unix milliseconds. */
  since: number
}

/**
 * What batches have read and written and need not ask for again. It holds as long as nobody else writes to
 * the file, which is asked at the beginning of each transaction: people merge, delete and resolve issues,
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
   * To be called when a transaction has begun: forgets everything if somebody else has written since the last
   * one.
   */
  begin(): void
  /** To be called when that transaction has been committed. */
  committed(): void
  /** To be called when something was rolled back: what was remembered of it is not there. */
  forget(): void
}

/** A memory of nothing yet, for one connection. */
export function createBatchMemory(sqlite: DatabaseSync): BatchMemory {
  // Changes with every commit of another connection, and with none of this one.
  const readVersion = sqlite.prepare('PRAGMA data_version')
  // Changes with every row that this connection writes.
  const readChanges = sqlite.prepare('SELECT total_changes() AS total_changes')
  const hashes = new Map<string, KnownHash>()
  const issues = new Map<number, KnownIssue>()
  const traits = new Map<number, KnownTraits>()
  const rows = new Set<string>()
  let version: unknown
  let changes: unknown

  const countChanges = () => readChanges.get()?.['total_changes']
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
      const versionNow = readVersion.get()?.['data_version']
      const isMine = versionNow === version && countChanges() === changes
      const isFull = Math.max(hashes.size, issues.size, rows.size) > limits.rememberedStoreRows
      if (!isMine || isFull) forget()
      version = versionNow
    },
    committed() {
      changes = countChanges()
    },
    forget,
  }
}

/** Says whether a row is known to be there, and takes it for known from now on: the caller inserts it. */
export function rememberRow({ rows }: BatchMemory, key: readonly (string | number)[]): boolean {
  const text = key.join('\0')
  if (rows.has(text)) return true
  rows.add(text)
  return false
}
