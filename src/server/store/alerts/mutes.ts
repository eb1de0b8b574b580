import { randomUUID } from 'node:crypto'
import type { AlertMute } from '#alerts/decide.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** A mute of a rule or of a project. */
export interface StoredMute extends AlertMute {
  id: string
  ruleId?: string
  projectId?: number
  /** Unix milliseconds. */
  since: number
}

/** The mutes of an organization that end after an instant, the last to end first. One statement. */
export async function listAlertMutes(
  db: Db,
  { organizationId, now }: { organizationId: number; now: number },
): Promise<StoredMute[]> {
  const rows = await db
    .selectFrom('alert_mutes')
    .select(['id', 'rule_id', 'project_id', 'name', 'until_at as until', 'created_at as since'])
    .where('organization_id', '=', organizationId)
    .where('until_at', '>', now)
    .orderBy('until_at', 'desc')
    .execute()
  return rows.map(({ id, name, until, since, ...row }) => ({
    id,
    name,
    until,
    since,
    ruleId: row.rule_id ?? undefined,
    projectId: row.project_id ?? undefined,
  }))
}

/** The mute that applies to a rule in a project, from mutes in the order of their ends. */
export function findMute(
  mutes: readonly StoredMute[],
  { ruleId, projectId }: { ruleId: string; projectId: number },
): AlertMute | undefined {
  return mutes.find((mute) => mute.ruleId === ruleId || mute.projectId === projectId)
}

/** Mutes a rule or a project until a time. Replaces an earlier mute. */
export function recordAlertMute(
  store: Store,
  mute: { organizationId: number; ruleId?: string; projectId?: number; userId: string } & AlertMute,
): Promise<void> {
  return store.writer.transaction().execute(async (tx) => {
    await deleteMutes(tx, mute)
    await tx
      .insertInto('alert_mutes')
      .values({
        id: randomUUID(),
        organization_id: mute.organizationId,
        rule_id: mute.ruleId ?? null,
        project_id: mute.projectId ?? null,
        name: mute.name,
        until_at: mute.until,
        user_id: mute.userId,
        created_at: store.clock(),
      })
      .execute()
  })
}

/** The subject of a mute: a rule, or a project. */
interface MuteSubject {
  organizationId: number
  ruleId?: string
  projectId?: number
}

/** Ends the mute of a rule or of a project. */
export async function deleteAlertMute(store: Store, subject: MuteSubject): Promise<void> {
  await deleteMutes(store.writer, subject)
}

async function deleteMutes(db: Db, { organizationId, ruleId, projectId }: MuteSubject): Promise<void> {
  await db
    .deleteFrom('alert_mutes')
    .where('organization_id', '=', organizationId)
    .where('rule_id', 'is not distinct from', ruleId ?? null)
    .where('project_id', 'is not distinct from', projectId ?? null)
    .execute()
}
