import { limits } from '#server/limits.ts'
import type { IngestStatements } from './ingest-statements.ts'
import type { ProjectTally, SeenTally } from './project-tally.ts'
import { sortedEntries } from './sorted-entries.ts'

/** Writes the counters of a batch's projects, in the order of their keys. Inside the batch's transaction. */
export function writeProjectCounters(statements: IngestStatements, tally: ProjectTally): void {
  for (const [, seen] of sortedEntries(tally.releases)) {
    const { projectId, name, firstSeenAt, lastSeenAt, eventCount } = seen
    statements.upsertRelease.run(projectId, name, firstSeenAt, lastSeenAt, eventCount)
  }
  for (const [, seen] of sortedEntries(tally.environments)) writeEnvironment(statements, seen)
  for (const [, counted] of sortedEntries(tally.outcomes)) {
    const { projectId, hour, category, outcome, reason, quantity } = counted
    statements.upsertOutcome.run(projectId, hour, category, outcome, reason, quantity)
  }
}

function writeEnvironment(statements: IngestStatements, seen: SeenTally): void {
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
