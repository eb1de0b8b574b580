import { parseReleaseVersion } from '#protocol/release-version.ts'
import type { Store } from '#server/store/store.ts'

/** A release of another tracker. Times are Unix milliseconds. */
export interface ImportedRelease {
  version: string
  createdAt: number
  releasedAt?: number
  url?: string
  ref?: string
}

/** Adds releases that are not here yet, without alerts, in one transaction. Returns their number. */
export function recordImportedReleases(
  store: Store,
  projectId: number,
  releases: readonly ImportedRelease[],
): Promise<number> {
  return store.writer.transaction().execute(async (tx) => {
    let newCount = 0
    for (const { version, createdAt, releasedAt, url, ref } of releases) {
      const { package: ofPackage, order = '' } = parseReleaseVersion(version)
      const { numInsertedOrUpdatedRows = 0n } = await tx
        .insertInto('releases')
        .values({
          project_id: projectId,
          version,
          package: ofPackage,
          version_order: order,
          created_at: createdAt,
          first_seen_at: createdAt,
          last_seen_at: createdAt,
          event_count: 0,
          released_at: releasedAt ?? null,
          url: url ?? null,
          ref: ref ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      newCount += Number(numInsertedOrUpdatedRows)
    }
    return newCount
  })
}
