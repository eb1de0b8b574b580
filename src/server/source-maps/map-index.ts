import { limits } from '#server/limits.ts'
import {
  listArtifactStamps,
  readMappedProject,
  type MappedProject,
} from '#server/store/artifacts/mapped-projects.ts'
import type { Store } from '#server/store/store.ts'

/** An in-memory index of code with source maps, so that other events cost no lookup. */
export interface MapIndex {
  /** The entry of a project; undefined if it has no maps. */
  find(projectId: number): MappedProject | undefined
  /**
   * Reloads the index. Call after changes of this process; those of others are visible within
   * `limits.artifactIndexMaxAgeMs`.
   */
  refresh(): Promise<void>
  close(): void
}

/** Loads the index and keeps it up to date. Calls `onChange` when cached results become invalid. */
export async function createMapIndex({ db }: Pick<Store, 'db'>, onChange: () => void): Promise<MapIndex> {
  const projects = new Map<number, MappedProject>()
  let reading: Promise<void> = Promise.resolve()

  async function readAll(): Promise<void> {
    const stamps = await listArtifactStamps(db)
    const present = new Set(stamps.map(({ projectId }) => projectId))
    let isChanged = false
    for (const projectId of projects.keys()) {
      if (present.has(projectId)) continue
      projects.delete(projectId)
      isChanged = true
    }
    for (const { projectId, stamp } of stamps) {
      if (projects.get(projectId)?.stamp === stamp) continue
      projects.set(projectId, { stamp, ...(await readMappedProject(db, projectId)) })
      isChanged = true
    }
    if (isChanged) onChange()
  }

  function refresh(): Promise<void> {
    // Sequential: an older read must not finish after a newer one.
    reading = reading.catch(() => undefined).then(readAll)
    return reading
  }

  await refresh()
  // The next interval retries.
  const timer = setInterval(() => void refresh().catch(() => undefined), limits.artifactIndexMaxAgeMs)
  timer.unref()
  return { find: (projectId) => projects.get(projectId), refresh, close: () => clearInterval(timer) }
}
