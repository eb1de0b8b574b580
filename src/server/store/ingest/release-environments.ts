import { limits } from '#server/limits.ts'
import type { IngestStatements } from './statements.ts'

/** A release, and the time of its first event in an environment, in Unix milliseconds. */
interface ReleaseEvent {
  projectId: number
  version: string
  at: number
}

/**
 * Adds environments to the list of a release, up to `limits.environmentsPerRelease`. Returns those that are
 * in the list now. Call inside the batch's transaction.
 */
export function addReleaseEnvironments(
  statements: Pick<IngestStatements, 'countReleaseEnvironments' | 'insertReleaseEnvironment'>,
  { projectId, version, at }: ReleaseEvent,
  environments: readonly string[],
): string[] {
  if (environments.length === 0) return []
  const row = statements.countReleaseEnvironments.get(projectId, version)
  const room = limits.environmentsPerRelease - Number(row?.['environment_count'])
  const added = environments.slice(0, Math.max(0, room))
  for (const environment of added)
    statements.insertReleaseEnvironment.run(projectId, version, environment, at)
  return added
}
