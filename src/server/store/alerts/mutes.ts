import type { Kysely } from 'kysely'
import type { AlertMute } from '#alerts/decide.ts'
import type { Database } from '#server/store/schema/database.ts'

/** A mute of a rule or of a project. */
export interface StoredMute extends AlertMute {
  id: string
  ruleId?: string
  projectId?: number
}

/** The mutes of an organization that have not ended, the last to end first. One statement. */
export async function listAlertMutes(
  db: Kysely<Database>,
  { organizationId, now }: { organizationId: number; now: number },
): Promise<StoredMute[]> {
  const rows = await db
    .selectFrom('alert_mutes')
    .select(['id', 'rule_id', 'project_id', 'name', 'until_at as until'])
    .where('organization_id', '=', organizationId)
    .where('until_at', '>', now)
    .orderBy('until_at', 'desc')
    .execute()
  return rows.map(({ id, name, until, ...row }) => ({
    id,
    name,
    until,
    ruleId: row.rule_id ?? undefined,
    projectId: row.project_id ?? undefined,
  }))
}

/** The mute that holds a rule in a project, of those in the order of their ends. */
export function findMute(
  mutes: readonly StoredMute[],
  { ruleId, projectId }: { ruleId: string; projectId: number },
): AlertMute | undefined {
  return mutes.find((mute) => mute.ruleId === ruleId || mute.projectId === projectId)
}
