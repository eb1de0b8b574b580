import { parseReleaseVersion } from '#protocol/release-version.ts'
import { limits } from '#server/limits.ts'
import { noteNewRelease } from '#server/store/alerts/release-writer.ts'
import type { BatchCache } from '#server/store/ingest/batch-cache.ts'
import { addReleaseEnvironments } from '#server/store/ingest/release-environments.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'
import { sortedEntries } from '#server/store/sorted-entries.ts'

/** The dependencies of `writeSeenSources`. */
interface SourceWriter {
  statements: IngestStatements
  cache: Pick<BatchCache, 'releaseLimit'>
  clock: () => number
}

/** Environments and releases of transactions, from new rows of figures. */
export interface SeenSources {
  environments: Set<string>
  /** The environments of each release. */
  releases: Map<string, Set<string>>
}

/**
 * Adds environments and releases that only transactions name to filters, release pages and rules. Both count
 * events, of which these have none. Call inside the transaction that writes the rows.
 */
export function writeSeenSources(
  { statements, cache, clock }: SourceWriter,
  projectId: number,
  { environments, releases }: SeenSources,
): void {
  const at = clock()
  for (const [version, named] of sortedEntries(releases)) {
    const isNew = statements.findRelease.get(projectId, version) === undefined
    if (isNew && !cache.releaseLimit.admits(projectId, at)) continue
    const { package: ofPackage, order = '' } = parseReleaseVersion(version)
    noteNewRelease(statements, { projectId, version, environments: [...named], at })
    statements.upsertReleaseOfTraces.run(projectId, version, ofPackage, order, at, at, at)
    addReleaseEnvironments(statements, { projectId, version, at }, [...named].toSorted())
  }
  if (environments.size === 0) return
  let room =
    limits.environmentsPerProject - Number(statements.countEnvironments.get(projectId)?.['environment_count'])
  for (const name of [...environments].toSorted()) {
    if (room <= 0) return
    statements.upsertEnvironmentOfTraces.run(projectId, name, at, at)
    room -= 1
  }
}
