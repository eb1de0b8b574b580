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
  let known = indexKeys([])
  let version = -1
  /** When the last check began, and when the last one that succeeded did. */
  let checkedAt = 0
  let confirmedAt = 0
  let reading: Promise<void> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    // Read before the keys: after a change in between, the next lookup reads again. Believed only after them,
    // so that it does so after a failure, too.
    const versionBefore = await store.engine.readDataVersion()
    readAt = performance.now()
    known = indexKeys(await listProjectKeys(store.db))
    version = versionBefore
  }

  /**
   * Checks whether another process wrote. Concurrent callers share one read. `maxAgeMs`: of the version that
   * it compares; left out: that of the engine, for a flood of unknown keys.
   */
  async function refreshIfChanged(maxAgeMs?: number): Promise<void> {
    const beganAt = store.clock()
    checkedAt = beganAt
    if (reading === undefined && (await store.engine.readDataVersion(maxAgeMs)) !== version) {
      reading ??= refreshAtItsTime().finally(() => {
        reading = undefined
      })
    }
    await reading
    confirmedAt = beganAt
  }

  /** Every ingest commit is a change, too: a flood of unknown keys must not cause a read for each of them. */
  async function refreshAtItsTime(): Promise<void> {
    const waitMs = readAt + limits.projectKeysReadEveryMs - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    await refresh()
  }

  /** Either way: a clock that was set back must not keep old keys alive. */
  const ageOf = (at: number) => Math.abs(store.clock() - at)
  const areTrusted = () => ageOf(confirmedAt) < limits.projectKeysTrustedMs

  /** The result of a lookup, which is repeated if the known entry is old or missing. */
  function lookTwice<T>(find: () => T | undefined): T | undefined | Promise<T | undefined> {
    const found = find()
    if (found === undefined) return refreshIfChanged().then(find)
    if (areTrusted() && ageOf(checkedAt) < limits.projectKeysMaxAgeMs) return found
    return confirm(0).then(find)
  }

  /** Checks whether known keys are still valid. While they cannot be read, they are for a while. */
  async function confirm(maxAgeMs?: number): Promise<void> {
    const wereTrusted = areTrusted()
    try {
      await refreshIfChanged(maxAgeMs)
    } catch (error) {
      if (!wereTrusted) throw error
    }
  }

  await refreshIfChanged()
  return {
    hasProject: (projectId) => known.projectIds.has(projectId),
    find: (publicKey) => lookTwice(() => known.keys.get(publicKey)),
    findOfUpstream: async (dsn) =>
      known.keysOfUpstreams.has(dsn) ? lookTwice(() => known.keysOfUpstreams.get(dsn)) : undefined,
    findOfProject: async (projectId) => {
      const find = () => known.keys.values().find((key) => key.projectId === projectId && key.isActive)
      await (find() === undefined ? refreshIfChanged() : confirm())
      return find()
    },
    noteUse: createUseNotes(store, refresh),
    refresh,
  }
}

function indexKeys(list: readonly ProjectKey[]) {
  // The first active key of a project is last here and overwrites the earlier ones.
  const active = list.filter(({ isActive }) => isActive).toReversed()
  return {
    keys: new Map(list.map((key) => [key.publicKey, key])),
    projectIds: new Set(list.map(({ projectId }) => projectId)),
    /** By the DSN of an upstream. */
    keysOfUpstreams: new Map(
      active.flatMap((key) => key.upstreams.map(({ dsn }) => [formatDsn(dsn), key] as const)),
    ),
  }
}

function createUseNotes(store: Store, refresh: () => Promise<void>): ProjectKeys['noteUse'] {
  /** Keys whose first use is being recorded. */
  const noted = new Set<string>()
  const noteFirstUse = async (publicKey: string) => {
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
  return ({ publicKey, keySettings: { importedAt, firstUsedAt } }) =>
    importedAt === undefined || firstUsedAt !== undefined || noted.has(publicKey)
      ? undefined
      : noteFirstUse(publicKey)
}
