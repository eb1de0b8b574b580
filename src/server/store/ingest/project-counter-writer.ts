import { parseReleaseVersion } from '#protocol/release-version.ts'
import { limits } from '#server/limits.ts'
import { noteNewRelease } from '#server/store/alerts/release-writer.ts'
import { noteTrouble } from '#server/store/alerts/trouble-writer.ts'
import { sortedEntries } from '#server/store/sorted-entries.ts'
import { cacheRow } from './batch-cache.ts'
import type { BatchCache } from './batch-cache.ts'
import type { ProjectBatchCounts, SeenRelease, SeenPeriod } from './project-batch-counts.ts'
import type { IngestStatements } from './statements.ts'

/** The dependencies for writing project counters. */
export interface ProjectWriter {
  statements: IngestStatements
  cache: BatchCache
}

/** Writes the counters of a batch's projects, in key order. Call inside the batch's transaction. */
export function writeProjectCounters(writer: ProjectWriter, counts: ProjectBatchCounts): void {
  const { statements } = writer
  for (const [, seen] of sortedEntries(counts.releases)) writeRelease(writer, seen)
  for (const [, seen] of sortedEntries(counts.environments)) writeEnvironment(statements, seen)
  for (const [, counted] of sortedEntries(counts.outcomes)) {
    const { projectId, hour, category, outcome, reason, quantity } = counted
    statements.upsertOutcome.run(projectId, hour, category, outcome, reason, quantity)
    if (outcome === 'rate_limited' && troublesomeLimits.has(reason))
      noteTrouble(writer, { projectId, kind: 'rate_limit', at: counted.at })
  }
  for (const [projectId, { issueId, at }] of sortedEntries(counts.spikes))
    noteTrouble(writer, { projectId, kind: 'spike', issueId, at })
}

/** Limits that are reported to a project. A limit of a single address concerns only the sender. */
const troublesomeLimits = new Set(['key_limit', 'project_limit', 'overload'])

/** The first event of a release creates it. */
function writeRelease({ statements, cache }: ProjectWriter, seen: SeenRelease): void {
  const { projectId, name, firstSeenAt, lastSeenAt, eventCount } = seen
  if (!cacheRow(cache, ['release', projectId, name]))
    noteNewRelease(statements, {
      projectId,
      version: name,
      environments: [...seen.environments],
      at: seen.receivedAt,
    })
  const { package: ofPackage, order = '' } = parseReleaseVersion(name)
  statements.upsertRelease.run(
    projectId,
    name,
    ofPackage,
    order,
    firstSeenAt,
    firstSeenAt,
    lastSeenAt,
    eventCount,
  )
  for (const environment of seen.environments) {
    if (cacheRow(cache, ['release environment', projectId, name, environment])) continue
    statements.insertReleaseEnvironment.run(projectId, name, environment, firstSeenAt)
  }
}

function writeEnvironment(statements: IngestStatements, seen: SeenPeriod): void {
  const { projectId, name, firstSeenAt, lastSeenAt, eventCount } = seen
  const isKnown = statements.updateEnvironment.run(
    eventCount,
    firstSeenAt,
    firstSeenAt,
    lastSeenAt,
    lastSeenAt,
    projectId,
    name,
  )
  if (Number(isKnown.changes) > 0) return
  const counted = Number(statements.countEnvironments.get(projectId)?.['environment_count'])
  if (counted >= limits.environmentsPerProject) return
  statements.insertEnvironment.run(projectId, name, firstSeenAt, lastSeenAt, eventCount)
}
