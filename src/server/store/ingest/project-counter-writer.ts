import { parseReleaseVersion } from '#protocol/release-version.ts'
import { limits } from '#server/limits.ts'
import { noteNewRelease } from '#server/store/alerts/release-writer.ts'
import { noteTrouble } from '#server/store/alerts/trouble-writer.ts'
import { sortedEntries } from '#server/store/sorted-entries.ts'
import { cacheRow, rowKey, type BatchCache } from './batch-cache.ts'
import type { ProjectBatchCounts, SeenRelease, SeenPeriod } from './project-batch-counts.ts'
import { addReleaseEnvironments } from './release-environments.ts'
import type { IngestStatements } from './statements.ts'

/** The dependencies for writing project counters. */
export interface ProjectWriter {
  statements: IngestStatements
  cache: BatchCache
  /** Unix milliseconds. */
  clock: () => number
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

/** The first event of a release creates it, unless the project has too many new ones today. */
function writeRelease({ statements, cache, clock }: ProjectWriter, seen: SeenRelease): void {
  const { projectId, name, firstSeenAt, lastSeenAt, eventCount } = seen
  const key = ['release', projectId, name]
  if (!cache.rows.has(rowKey(key))) {
    const isNew = statements.findRelease.get(projectId, name) === undefined
    if (isNew && !seen.isImported && !cache.releaseLimit.admits(projectId, clock())) return
    cacheRow(cache, key)
    noteNewRelease(statements, {
      projectId,
      version: name,
      environments: [...seen.environments],
      at: seen.receivedAt,
    })
  }
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
  const keyOf = (environment: string) => rowKey(['release environment', projectId, name, environment])
  const uncached = [...seen.environments].filter((environment) => !cache.rows.has(keyOf(environment)))
  const release = { projectId, version: name, at: firstSeenAt }
  for (const added of addReleaseEnvironments(statements, release, uncached)) cache.rows.add(keyOf(added))
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
