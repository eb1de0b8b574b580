import * as v from 'valibot'
import { findWay, isMail, notificationWays, preferredTransition } from '#alerts/preference.ts'
import type { NotificationPreference } from '#alerts/preference.ts'
import { alertTransitions } from '#alerts/transition.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

const preferenceRow = v.object({
  project_id: v.number(),
  transition: preferredTransition,
  way: v.picklist(notificationWays),
})

/** Parses a row of `notification_preferences`; empty for one that this version does not know. */
export function toPreference(row: unknown): NotificationPreference[] {
  const { success, output } = v.safeParse(preferenceRow, row)
  return success ? [{ projectId: output.project_id, transition: output.transition, way: output.way }] : []
}

/** The notification settings of a user. One statement. */
export async function listPreferences(db: Db, userId: string): Promise<NotificationPreference[]> {
  const rows = await db
    .selectFrom('notification_preferences')
    .select(['project_id', 'transition', 'way'])
    .where('user_id', '=', userId)
    .orderBy('project_id')
    .orderBy('transition')
    .execute()
  return rows.flatMap(toPreference)
}

/** True if a user wants any mail, if there is a mail server. Pure. */
export function wantsMails(preferences: readonly NotificationPreference[]): boolean {
  return [...listWays(preferences), ...preferences.filter(isException)].some(({ way }) => isMail(way))
}

/** Stops all mails to a user: notifications stay in the inbox, and none is sent. One transaction. */
export function recordMailsEnded(store: Store, userId: string): Promise<void> {
  return store.writer.transaction().execute(async (tx) => {
    const preferences = await listPreferences(tx, userId)
    const ofProjects = preferences.filter(({ projectId }) => projectId !== 0)
    const ofKinds = listWays(preferences).map(({ projectId, transition, way }): NotificationPreference => ({
      projectId,
      transition,
      way: isMail(way) ? 'inbox' : way,
    }))
    await tx.deleteFrom('notification_preferences').where('user_id', '=', userId).execute()
    const exceptions = ofProjects.filter((each) => isException(each) && isMail(each.way))
    const others = ofProjects.filter((each) => !exceptions.includes(each))
    const ended = exceptions.map((each) => Object.assign({}, each, { way: 'inbox' as const }))
    await insertPreferences(tx, userId, [...ofKinds, ...others, ...ended])
    await tx
      .updateTable('alert_deliveries')
      .set({ status: 'cancelled', finished_at: store.clock() })
      .where('user_id', '=', userId)
      .where('status', '=', 'waiting')
      .execute()
  })
}

/** A user's choice for a project. */
function isException({ projectId, transition }: NotificationPreference): boolean {
  return projectId !== 0 && transition !== 'any'
}

/** The notifications of a user by transition, in projects without a choice of their own. */
function listWays(preferences: readonly NotificationPreference[]): NotificationPreference[] {
  const chosen = preferences.filter(({ projectId }) => projectId === 0)
  return alertTransitions.map((transition) => ({
    projectId: 0,
    transition,
    way: findWay(chosen, { projectId: 0, transition, hasMail: true }),
  }))
}

/** Replaces a user's choices for these projects. */
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
    await insertPreferences(tx, userId, preferences)
  })
}

async function insertPreferences(
  tx: Tx,
  userId: string,
  preferences: readonly NotificationPreference[],
): Promise<void> {
  for (const { projectId, transition, way } of preferences)
    await tx
      .insertInto('notification_preferences')
      .values({ project_id: projectId, user_id: userId, transition, way })
      .execute()
}
