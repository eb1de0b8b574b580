import { limits } from '#server/limits.ts'
import { rowKey, type BatchCache } from './batch-cache.ts'
import type { IssueBatchCounts, IssueReference } from './issue-batch-counts.ts'
import type { IngestStatements } from './statements.ts'
import { otherTagValue } from './tag-writer.ts'

/** The dependencies of `boundEnvironments`. */
interface EnvironmentReader {
  statements: IngestStatements
  cache: BatchCache
}

/**
 * Counts the events of new environments as `(other)` if their issue has `limits.environmentsPerIssue`, except
 * those in the project's list. The events keep their own. Call before the counters are written.
 */
export function boundEnvironments(reader: EnvironmentReader, allCounts: readonly IssueBatchCounts[]): void {
  for (const counts of allCounts) {
    const uncached = [...counts.environments].filter(
      (name) => !isEnvironmentCached(reader.cache, counts.issue, name),
    )
    if (uncached.length === 0) continue
    const surplus = new Set(findSurplus(reader, counts.issue, uncached))
    if (surplus.size > 0) countAsOther(counts, surplus)
  }
}

/** The key of a row of `issue_environments` in the cache. */
export function environmentKey(issueId: number, environment: string): readonly [string, number, string] {
  return ['issue environment', issueId, environment]
}

/** Announces the reads of `boundEnvironments` for an event of an issue. */
export function expectEnvironments(
  { statements, cache }: EnvironmentReader,
  issue: Pick<IssueReference, 'projectId' | 'issueId'>,
  environment: string,
): void {
  if (isEnvironmentCached(cache, issue, environment)) return
  const { projectId, issueId } = issue
  statements.findIssueEnvironment.expect?.(projectId, issueId, environment)
  if (cache.rows.has(fullKey(issueId))) statements.findEnvironment.expect?.(projectId, environment)
  else statements.countIssueEnvironments.expect?.(projectId, issueId)
}

function isEnvironmentCached(
  { rows }: BatchCache,
  { issueId }: Pick<IssueReference, 'issueId'>,
  environment: string,
): boolean {
  return rows.has(rowKey(environmentKey(issueId, environment)))
}

/** The key in the cache of an issue that has as many environments as it may. */
function fullKey(issueId: number): string {
  return rowKey(['all issue environments', issueId])
}

/** The environments that are new to the issue and are not counted by name. */
function findSurplus(
  { statements, cache }: EnvironmentReader,
  { projectId, issueId, isNew }: IssueReference,
  names: readonly string[],
): string[] {
  const added = isNew
    ? names
    : names.filter((name) => statements.findIssueEnvironment.get(projectId, issueId, name) === undefined)
  if (added.length === 0) return []
  let room = 0
  if (!cache.rows.has(fullKey(issueId))) {
    const row = isNew ? undefined : statements.countIssueEnvironments.get(projectId, issueId)
    room = Math.max(0, limits.environmentsPerIssue - Number(row?.['environment_count'] ?? 0))
    if (room === 0) cache.rows.add(fullKey(issueId))
  }
  return added.slice(room).filter((name) => statements.findEnvironment.get(projectId, name) === undefined)
}

function countAsOther(counts: IssueBatchCounts, surplus: ReadonlySet<string>): void {
  counts.environments = counts.environments.difference(surplus).add(otherTagValue)
  counts.counted = counts.counted.map((event) =>
    surplus.has(event.environment) ? { ...event, environment: otherTagValue } : event,
  )
}
