import { parseReleaseVersion } from '#protocol/release-version.ts'
import { limits } from '#server/limits.ts'
import { sortedEntries } from '#server/store/sorted-entries.ts'
import { rememberRow } from './batch-memory.ts'
import type { BatchMemory } from './batch-memory.ts'
import type { ProjectBatchCounts, SeenRelease, SeenPeriod } from './project-batch-counts.ts'
import type { IngestStatements } from './statements.ts'

/** The dependencies for writing project counters. */
export interface ProjectWriter {
  statements: IngestStatements
  memory: BatchMemory
}

/** Writes the counters of a batch's projects, in the order of their keys. Inside the batch's transaction. */
export function writeProjectCounters(writer: ProjectWriter, counts: ProjectBatchCounts): void {
  const { statements } = writer
  for (const [, seen] of sortedEntries(counts.releases)) writeRelease(writer, seen)
  for (const [, seen] of sortedEntries(counts.environments)) writeEnvironment(statements, seen)
  for (const [, counted] of sortedEntries(counts.outcomes)) {
    const { projectId, hour, category, outcome, reason, quantity } = counted
    statements.upsertOutcome.run(projectId, hour, category, outcome, reason, quantity)
  }
}

/** A release is made by its first event. */
function writeRelease({ statements, memory }: ProjectWriter, seen: SeenRelease): void {
  const { projectId, name, firstSeenAt, lastSeenAt, eventCount } = seen
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
    if (rememberRow(memory, ['release environment', projectId, name, environment])) continue
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
