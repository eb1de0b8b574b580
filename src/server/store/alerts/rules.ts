import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { alertRule } from '#alerts/rule-schema.ts'
import type { AlertRule } from '#alerts/rule.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** Where a rule applies: to a project, or without one to all projects of the organization. */
export interface AlertScope {
  organizationId: number
  projectId?: number
}

/** A rule of the store. */
export interface StoredRule extends AlertScope {
  id: string
  rule: AlertRule
}

/** Adds a rule. Returns its id. */
export async function recordAlertRule(
  store: Store,
  { organizationId, projectId, rule }: AlertScope & { rule: AlertRule },
): Promise<string> {
  const id = randomUUID()
  const row = {
    id,
    organization_id: organizationId,
    project_id: projectId ?? null,
    rule: JSON.stringify(rule),
    created_at: store.clock(),
  }
  await store.writer.insertInto('alert_rules').values(row).execute()
  return id
}

/** All rules, oldest first. One statement. A rule that this version cannot read is left out. */
export async function listAlertRules(db: Kysely<Database>): Promise<StoredRule[]> {
  const rows = await db.selectFrom('alert_rules').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.flatMap(({ id, organization_id: organizationId, project_id: projectId, rule: text }) => {
    const { success, output } = v.safeParse(alertRule, JSON.parse(text))
    return success ? [{ id, organizationId, ...(projectId !== null && { projectId }), rule: output }] : []
  })
}
