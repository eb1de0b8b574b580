import { limits } from '#server/limits.ts'
import {
  listArtifactStamps,
  readMappedProject,
  type MappedProject,
} from '#server/store/artifacts/mapped-projects.ts'
import type { Store } from '#server/store/store.ts'

/** Which code has source maps, in memory: an event of any other is not looked at twice. */
export interface MapIndex {
  /** What of a project has maps; undefined of a project without any. */
  find(projectId: number): MappedProject | undefined
  /**
   * Reads what has changed. Call it after this process has; others' changes are seen within
   * `limits.artifactIndexMaxAgeMs`.
   */
  refresh(): Promise<void>
  close(): void
}

/** Reads the index, and keeps it. `onChange` is called when what was known has become wrong. */
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
    // One after another: an older read must not end after a newer one.
    reading = reading.catch(() => undefined).then(readAll)
    return reading
  }

  await refresh()
  // What cannot be read now is read the next time.
  const timer = setInterval(() => void refresh().catch(() => undefined), limits.artifactIndexMaxAgeMs)
  timer.unref()
  return { find: (projectId) => projects.get(projectId), refresh, close: () => clearInterval(timer) }
}
