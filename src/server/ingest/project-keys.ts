import { setTimeout as sleep } from 'node:timers/promises'
import { formatDsn } from '#protocol/dsn.ts'
import { limits } from '#server/limits.ts'
import { recordFirstKeyUse } from '#server/store/projects/key-changes.ts'
import { listProjectKeys, type ProjectKey } from '#server/store/projects/projects.ts'
import type { Store } from '#server/store/store.ts'

/** An in-memory cache of the keys that SDKs authenticate with. */
export interface ProjectKeys {
  /** The key, active or not; undefined if no project has it. Synchronous if it is cached. */
  find(publicKey: string): ProjectKey | undefined | Promise<ProjectKey | undefined>
  /** True for a project that had a key when the keys were last read. */
  hasProject(projectId: number): boolean
  /** The project's first active key. */
  findOfProject(projectId: number): Promise<ProjectKey | undefined>
  /**
   * The first active key of the project that forwards to a DSN, written without its secret. Undefined if the
   * cache has none: only `find` checks whether another process has added one.
   */
  findOfUpstream(dsn: string): Promise<ProjectKey | undefined>
  /**
   * Records the first use of an imported key, once; does nothing for other keys. Never rejects: the request
   * has already been accepted, and the next one retries.
   */
  noteUse(key: ProjectKey): void | Promise<void>
  /**
   * Reads the keys again. Call it after this process has changed projects or keys; changes of other processes
   * are detected.
   */
  refresh(): Promise<void>
}

/**
 * Caches all keys. A change of another process (`culvert project add`) is visible immediately for a key that
 * was unknown before, and after `limits.projectKeysMaxAgeMs` for the others. A check costs 2 µs if nothing
 * has changed; with constant changes, the keys are read at most every `limits.projectKeysReadEveryMs`.
 */
export async function createProjectKeys(store: Store): Promise<ProjectKeys> {
  let known = indexKeys([])
  let version = -1
  /** When the last check began, and when the last successful one did. */
  let checkedAt = 0
  let confirmedAt = 0
  let reading: Promise<void> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    // Read before the keys, so that a change in between is detected at the next lookup. Set only after the
    // keys, so that a failed read is repeated, too.
    const versionBefore = await store.engine.readDataVersion()
    readAt = performance.now()
    known = indexKeys(await listProjectKeys(store.db))
    version = versionBefore
  }

  /** Checks whether another process has written, and reads what was written before this call. */
  async function refreshIfChanged(): Promise<void> {
    const beganAt = store.clock()
    checkedAt = beganAt
    // A read that has begun may lack the newest changes. If it fails, this check is the next attempt.
    await reading?.catch(() => undefined)
    if ((await store.engine.readDataVersion()) !== version) {
      reading ??= refreshAtItsTime().finally(() => {
        reading = undefined
      })
      await reading
    }
    confirmedAt = beganAt
  }

  /** Every ingest commit changes the version, too: a flood of unknown keys must not cause one read each. */
  async function refreshAtItsTime(): Promise<void> {
    const waitMs = readAt + limits.projectKeysReadEveryMs - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    await refresh()
  }

  /** The absolute difference: a clock that was set back must not keep old keys valid. */
  const ageOf = (at: number) => Math.abs(store.clock() - at)
  const areTrusted = () => ageOf(confirmedAt) < limits.projectKeysTrustedMs

  /** The result of a lookup, which is repeated if the cached entry is old or missing. */
  function lookTwice<T>(find: () => T | undefined): T | undefined | Promise<T | undefined> {
    const found = find()
    if (found === undefined) return refreshIfChanged().then(find)
    if (areTrusted() && ageOf(checkedAt) < limits.projectKeysMaxAgeMs) return found
    return confirm().then(find)
  }

  /** Checks whether cached keys are still valid. If they cannot be read, they remain valid for a while. */
  async function confirm(): Promise<void> {
    const wereTrusted = areTrusted()
    try {
      await refreshIfChanged()
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
  // The first active key of a project is the last one here and overwrites the others.
  const active = list.filter(({ isActive }) => isActive).toReversed()
  return {
    keys: new Map(list.map((key) => [key.publicKey, key])),
    projectIds: new Set(list.map(({ projectId }) => projectId)),
    /** Keys by the DSN of an upstream. */
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
