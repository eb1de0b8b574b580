import { insertRelease, type NewRelease } from '#server/store/releases/changes.ts'
import type { Store } from '#server/store/store.ts'

/** Adds releases that do not exist here, without alerts, in one transaction. Returns their number. */
export function recordImportedReleases(
  store: Store,
  projectId: number,
  releases: readonly NewRelease[],
): Promise<number> {
  return store.writer.transaction().execute(async (tx) => {
    let newCount = 0
    for (const release of releases) {
      if (await insertRelease(tx, { projectId, ...release })) newCount += 1
    }
    return newCount
  })
}
