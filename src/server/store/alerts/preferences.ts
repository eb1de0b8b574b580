import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { notificationWays, preferredTransition } from '#alerts/preference.ts'
import type { NotificationPreference } from '#alerts/preference.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

const preferenceRow = v.object({
  project_id: v.number(),
  transition: preferredTransition,
  way: v.picklist(notificationWays),
})

/** Reads a row of `notification_preferences`; nothing for what another version of this program wrote. */
export function toPreference(row: unknown): NotificationPreference[] {
  const { success, output } = v.safeParse(preferenceRow, row)
  return success ? [{ projectId: output.project_id, transition: output.transition, way: output.way }] : []
}

/** What a person has chosen. One statement. */
export async function listPreferences(
  db: Kysely<Database>,
  userId: string,
): Promise<NotificationPreference[]> {
  const rows = await db
    .selectFrom('notification_preferences')
    .select(['project_id', 'transition', 'way'])
    .where('user_id', '=', userId)
    .orderBy('project_id')
    .orderBy('transition')
    .execute()
  return rows.flatMap(toPreference)
}

/** Replaces what a person has chosen for these projects. */
export function recordPreferences(
  store: Store,
  {
    userId,
    projectIds,
    preferences,
  }: { userId: string; projectIds: readonly number[]; preferences: readonly NotificationPreference[] },
): Promise<void> {
  return store.writer.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('notification_preferences')
      .where('user_id', '=', userId)
      .where('project_id', 'in', projectIds)
      .execute()
    for (const { projectId, transition, way } of preferences)
      await tx
        .insertInto('notification_preferences')
        .values({ project_id: projectId, user_id: userId, transition, way })
        .execute()
  })
}
