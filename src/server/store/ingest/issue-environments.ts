import { limits } from '#server/limits.ts'
import { rowKey } from './batch-cache.ts'
import type { BatchCache } from './batch-cache.ts'
import type { IssueBatchCounts, IssueReference } from './issue-batch-counts.ts'
import type { IngestStatements } from './statements.ts'
import { otherTagValue } from './tag-writer.ts'

/** The dependencies of `boundEnvironments`. */
interface EnvironmentReader {
  statements: IngestStatements
  cache: BatchCache
}

/**
 * Counts the events of new environments as `(other)` if their issue has `limits.environmentsPerIssue`. The
 * events keep their own. Call before the counters are written.
 */
export function boundEnvironments(reader: EnvironmentReader, allCounts: readonly IssueBatchCounts[]): void {
  for (const counts of allCounts) {
    const added = [...counts.environments].filter((name) => !isCounted(reader.cache, counts.issue, name))
    if (added.length === 0) continue
    const known = listEnvironments(reader, counts.issue)
    const surplus = added
      .filter((name) => !known.has(name))
      .slice(Math.max(0, limits.environmentsPerIssue - known.size))
    if (surplus.length > 0) countAsOther(counts, new Set(surplus))
  }
}

/** The key of a row of `issue_environments` in the cache. */
export function environmentKey(issueId: number, environment: string): readonly [string, number, string] {
  return ['issue environment', issueId, environment]
}

/** True if the row of the environment is known to exist. */
export function isCounted(
  { rows }: BatchCache,
  { issueId }: Pick<IssueReference, 'issueId'>,
  environment: string,
): boolean {
  return rows.has(rowKey(environmentKey(issueId, environment)))
}

function listEnvironments(
  { statements }: EnvironmentReader,
  { projectId, issueId, isNew }: IssueReference,
): Set<string> {
  const rows = isNew ? [] : statements.listIssueEnvironments.all(projectId, issueId)
  return new Set(rows.map((row) => String(row['environment'])))
}

function countAsOther(counts: IssueBatchCounts, surplus: ReadonlySet<string>): void {
  counts.environments = counts.environments.difference(surplus).add(otherTagValue)
  counts.counted = counts.counted.map((event) =>
    surplus.has(event.environment) ? { ...event, environment: otherTagValue } : event,
  )
}
