import { setTimeout as sleep } from 'node:timers/promises'
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
  /** Reloads the index. Call after changes of this process. */
  refresh(): Promise<void>
  /**
   * Call if a map was not found, because another process may have stored it. Reloads an index that is older
   * than `limits.artifactIndexRefreshMs`, waits at most that long for it, and never rejects. Without a call
   * it is reloaded every `limits.artifactIndexMaxAgeMs`.
   */
  refreshIfOld(): Promise<void>
  close(): void
}

/** Loads the index and keeps it up to date. Calls `onChange` when cached results become invalid. */
export async function createMapIndex(
  { db, engine }: Pick<Store, 'db' | 'engine'>,
  onChange: () => void,
): Promise<MapIndex> {
  const hasOtherWriters = engine.name === 'PostgreSQL'
  const projects = new Map<number, MappedProject>()
  let reading: Promise<void> = Promise.resolve()
  let refreshing: Promise<unknown> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  async function readAll(): Promise<void> {
    readAt = performance.now()
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

  async function refreshIfOld(): Promise<void> {
    if (!hasOtherWriters) return
    const isOld = performance.now() - readAt >= limits.artifactIndexRefreshMs
    if (isOld) refreshing ??= within(refresh()).finally(() => (refreshing = undefined))
    await refreshing
  }

  await refresh()
  // The next interval retries.
  const timer = setInterval(() => void refresh().catch(() => undefined), limits.artifactIndexMaxAgeMs)
  timer.unref()
  return {
    find: (projectId) => projects.get(projectId),
    refresh,
    refreshIfOld,
    close: () => clearInterval(timer),
  }
}

/** Settles with the read, or after this time: a database that does not answer must not delay events. */
async function within(read: Promise<void>): Promise<void> {
  const timeout = new AbortController()
  const ended = read.catch(() => undefined).finally(() => timeout.abort())
  const { signal } = timeout
  await Promise.race([
    ended,
    sleep(limits.artifactIndexRefreshMs, undefined, { signal }).catch(() => undefined),
  ])
}
