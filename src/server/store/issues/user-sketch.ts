import { limits } from '#server/limits.ts'
import type { SqlRow } from '#server/store/engine/connection.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'

const hashRange = 2 ** 53

/**
 * Estimates the number of distinct users from the largest of the K smallest hashes (K-minimum-values,
 * Bar-Yossef et al. 2002).
 *
 * The standard error is 1/√(K - 2): 3.1 % with the 1,024 stored hashes.
 */
export function estimateUserCount(largestKeptHash: number): number {
  const kept = limits.usersPerIssueExact
  return Math.max(kept, Math.round(((kept - 1) * hashRange) / Math.max(largestKeptHash, 1)))
}

/** Access to the rows of a sketch. */
export interface SketchRows {
  /** Returns false if the sketch contains the hash. */
  insert(userHash: number): boolean
  remove(userHash: number): void
  /** The largest hashes, largest first. */
  readLargest(limit: number): number[]
}

/**
 * Adds user hashes to a sketch that represented `userCount` users, and returns the new count: exact while
 * every hash is stored, then an estimate that never decreases.
 */
export function addToSketch(rows: SketchRows, userCount: number, userHashes: Iterable<number>): number {
  let count = userCount
  const others: number[] = []
  for (const hash of userHashes) {
    if (count < limits.usersPerIssueExact) count += rows.insert(hash) ? 1 : 0
    else others.push(hash)
  }
  return others.length === 0 ? count : replaceLargest(rows, count, others)
}

/** Replaces larger hashes by smaller ones. */
function replaceLargest(rows: SketchRows, userCount: number, userHashes: readonly number[]): number {
  let count = userCount
  // One more than the new hashes, so that the largest remaining hash is known if each of them replaces one.
  const largest = rows.readLargest(userHashes.length + 1)
  const isWhole = largest.length <= userHashes.length
  for (const hash of userHashes) {
    const [last] = largest
    if (last === undefined || hash >= last || !rows.insert(hash)) continue
    rows.remove(last)
    largest.shift()
    const at = largest.findIndex((other) => other < hash)
    if (at !== -1) largest.splice(at, 0, hash)
    else if (isWhole) largest.push(hash)
    count = Math.max(count, estimateUserCount(largest[0] ?? 0))
  }
  return count
}

/** The hashes in rows of `readLargestIssueUsers` and similar statements. */
export function toUserHashes(rows: readonly SqlRow[]): number[] {
  return rows.map((row) => Number(row['user_hash']))
}

/**
 * Adds user hashes to a project's sketch and its count of users. A user counts for as long as the project
 * exists, like the users of an issue: neither retention nor the deletion of an issue decreases the count.
 * Call inside a transaction. Users of a deleted project are not counted.
 */
export function recordProjectUsers(
  statements: IngestStatements,
  projectId: number,
  userHashes: Iterable<number>,
): void {
  const row = statements.readProjectUserCount.get(projectId)
  if (row === undefined && statements.findProject.get(projectId) === undefined) return
  const userCount = Number(row?.['user_count'] ?? 0)
  const rows: SketchRows = {
    insert: (hash) => Number(statements.insertProjectUser.run(projectId, hash).changes) > 0,
    remove: (hash) => void statements.deleteProjectUser.run(projectId, hash),
    readLargest: (limit) => toUserHashes(statements.readLargestProjectUsers.all(projectId, limit)),
  }
  const counted = addToSketch(rows, userCount, userHashes)
  if (counted !== userCount) statements.setProjectUserCount.run(projectId, counted)
}

/** An issue's sketch, and the count of users that it represented before the batch. */
export interface UserSketch {
  projectId: number
  issueId: number
  userCount: number
}

/** Adds user hashes to an issue's sketch and returns its new count of users; see `addToSketch`. */
export function recordUsers(
  statements: IngestStatements,
  { projectId, issueId, userCount }: UserSketch,
  userHashes: Iterable<number>,
): number {
  const rows: SketchRows = {
    insert: (hash) => Number(statements.insertIssueUser.run(projectId, issueId, hash).changes) > 0,
    remove: (hash) => void statements.deleteIssueUser.run(projectId, issueId, hash),
    readLargest: (limit) => toUserHashes(statements.readLargestIssueUsers.all(projectId, issueId, limit)),
  }
  return addToSketch(rows, userCount, userHashes)
}
