import { insertRelease, type NewRelease } from '#server/store/releases/changes.ts'
import type { Store } from '#server/store/store.ts'

/**
 * Adds releases that do not exist here, without alerts, in one transaction. Returns their number. An existing
 * release gets the other tracker's date if that is earlier: here it has that of the first event received.
 */
export function recordImportedReleases(
  store: Store,
  projectId: number,
  releases: readonly NewRelease[],
): Promise<number> {
  return store.writer.transaction().execute(async (tx) => {
    let newCount = 0
    for (const release of releases) {
      if (await insertRelease(tx, { projectId, ...release })) newCount += 1
      else
        await tx
          .updateTable('releases')
          .set({ created_at: release.createdAt })
          .where('project_id', '=', projectId)
          .where('version', '=', release.version)
          .where('created_at', '>', release.createdAt)
          .execute()
    }
    return newCount
  })
}
