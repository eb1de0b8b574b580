import { limits } from '#server/limits.ts'
import type { IngestStatements } from './ingest-statements.ts'

const hashRange = 2 ** 53

/**
 * Distinct users estimated from the largest of the K smallest hashes (K-minimum-values, Bar-Yossef et al. 2002).
 *
 * The standard error is 1/√(K - 2): 3.1 % with the 1,024 hashes kept.
 */
export function estimateUserCount(largestKeptHash: number): number {
  const kept = limits.usersPerIssueExact
  return Math.max(kept, Math.round(((kept - 1) * hashRange) / Math.max(largestKeptHash, 1)))
}

/** Which sketch, and the count of users it stood for before the batch. */
export interface UserSketch {
  projectId: number
  issueId: number
  userCount: number
}

/**
 * Adds user hashes to an issue's sketch and returns its new count of users: exact while every hash is kept, then an
 * estimate that never goes down.
 */
export function recordUsers(
  statements: IngestStatements,
  sketch: UserSketch,
  userHashes: Iterable<number>,
): number {
  const { projectId, issueId } = sketch
  let userCount = sketch.userCount
  for (const hash of userHashes) {
    if (userCount < limits.usersPerIssueExact) {
      userCount += Number(statements.insertIssueUser.run(projectId, issueId, hash).changes)
    } else {
      userCount = Math.max(userCount, replaceLargest(statements, sketch, hash))
    }
  }
  return userCount
}

/** Puts the hash in the place of the largest one kept, if it is smaller and not there yet; returns the estimate. */
function replaceLargest(
  statements: IngestStatements,
  { projectId, issueId }: UserSketch,
  hash: number,
): number {
  const largest = readLargest(statements, projectId, issueId)
  if (hash >= largest) return 0
  if (Number(statements.insertIssueUser.run(projectId, issueId, hash).changes) === 0) return 0
  statements.deleteIssueUser.run(projectId, issueId, largest)
  return estimateUserCount(readLargest(statements, projectId, issueId))
}

function readLargest(statements: IngestStatements, projectId: number, issueId: number): number {
  return Number(statements.readLargestIssueUser.get(projectId, issueId)?.['user_hash'] ?? 0)
}
