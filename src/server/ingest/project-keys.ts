import { setTimeout as sleep } from 'node:timers/promises'
import { formatDsn } from '#protocol/dsn.ts'
import { limits } from '#server/limits.ts'
import { recordFirstKeyUse } from '#server/store/projects/key-changes.ts'
import { listProjectKeys, type ProjectKey } from '#server/store/projects/projects.ts'
import type { Store } from '#server/store/store.ts'

/** An in-memory cache of the keys that SDKs authenticate with. */
export interface ProjectKeys {
  /** The key, active or not; undefined when no project has it. Synchronous when it is cached. */
  find(publicKey: string): ProjectKey | undefined | Promise<ProjectKey | undefined>
  /** True for a project that had a key when the keys were last read. */
  hasProject(projectId: number): boolean
  /** The project's first active key. */
  findOfProject(projectId: number): Promise<ProjectKey | undefined>
  /**
   * The first active key of the project that sends on to a DSN, written without its secret. Undefined when
   * none does as far as is known: only `find` looks whether another process has added something.
   */
  findOfUpstream(dsn: string): Promise<ProjectKey | undefined>
  /**
   * Records the first use of an imported key, once; does nothing for other keys. Never rejects: the request
   * was accepted already, and the next one records it.
   */
  noteUse(key: ProjectKey): void | Promise<void>
  /**
   * Reads the keys afresh: call it after this process changed projects or keys. Others' changes are seen by
   * themselves.
   */
  refresh(): Promise<void>
}

/**
 * Reads all keys and keeps them. What another process changes (`culvert project add`) is seen at once by a
 * key that was unknown so far, and after `limits.projectKeysMaxAgeMs` by the others. A look costs 2 µs unless
 * something changed, and what changes all the time is read every `limits.projectKeysReadEveryMs` at most.
 */
export async function createProjectKeys(store: Store): Promise<ProjectKeys> {
  let keys = new Map<string, ProjectKey>()
  let projectIds = new Set<number>()
  /** By the DSN of an upstream. */
  let keysOfUpstreams = new Map<string, ProjectKey>()
  let version = -1
  let checkedAt = 0
  let reading: Promise<void> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    // Read before the keys: after a change in between, the next lookup reads again. Believed only after them,
    // so that it does so after a failure, too.
    const versionBefore = store.engine.readDataVersion()
    readAt = performance.now()
    const list = await listProjectKeys(store.db)
    version = versionBefore
    keys = new Map(list.map((key) => [key.publicKey, key]))
    projectIds = new Set(list.map(({ projectId }) => projectId))
    // The first active key of a project is last here and overwrites the earlier ones.
    const active = list.filter(({ isActive }) => isActive).toReversed()
    keysOfUpstreams = new Map(
      active.flatMap((key) => key.upstreams.map(({ dsn }) => [formatDsn(dsn), key] as const)),
    )
  }

  /**
   * Checks whether another process wrote. Concurrent callers share one read. `maxAgeMs`: of the version that
   * it compares; left out: that of the engine, for a flood of unknown keys.
   */
  async function refreshIfChanged(maxAgeMs?: number): Promise<void> {
    checkedAt = store.clock()
    if (reading === undefined && store.engine.readDataVersion(maxAgeMs) !== version) {
      reading = refreshAtItsTime().finally(() => {
        reading = undefined
      })
    }
    await reading
  }

  /** Every ingest commit is a change, too: a flood of unknown keys must not cause a read for each of them. */
  async function refreshAtItsTime(): Promise<void> {
    const waitMs = readAt + limits.projectKeysReadEveryMs - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    await refresh()
  }

  /** The result of a lookup, which is repeated if the known entry is old or missing. */
  function lookTwice<T>(find: () => T | undefined): T | undefined | Promise<T | undefined> {
    const known = find()
    // Either way: a clock that was set back must not keep old keys alive.
    const ageMs = Math.abs(store.clock() - checkedAt)
    if (known !== undefined && ageMs < limits.projectKeysMaxAgeMs) return known
    return refreshIfChanged(known === undefined ? undefined : 0).then(find)
  }

  /** Keys whose first use is being recorded. */
  const noted = new Set<string>()

  async function noteFirstUse(publicKey: string): Promise<void> {
    noted.add(publicKey)
    try {
      await recordFirstKeyUse(store, publicKey)
      await refresh()
    } catch {
      // The store logs that it is unavailable.
    } finally {
      noted.delete(publicKey)
    }
  }

  await refreshIfChanged()
  return {
    hasProject: (projectId) => projectIds.has(projectId),
    find: (publicKey) => lookTwice(() => keys.get(publicKey)),
    findOfUpstream: async (dsn) =>
      keysOfUpstreams.has(dsn) ? lookTwice(() => keysOfUpstreams.get(dsn)) : undefined,
    async findOfProject(projectId) {
      await refreshIfChanged()
      return keys.values().find((key) => key.projectId === projectId && key.isActive)
    },
    noteUse: ({ publicKey, keySettings: { importedAt, firstUsedAt } }) =>
      importedAt === undefined || firstUsedAt !== undefined || noted.has(publicKey)
        ? undefined
        : noteFirstUse(publicKey),
    refresh,
  }
}
