import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import * as v from 'valibot'
import { alertRule } from '#alerts/rule-schema.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
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

/** Adds a rule, unless the organization has reached the maximum. Returns its id. */
export function recordAlertRule(
  store: Store,
  rule: AlertScope & { rule: AlertRule },
): Promise<string | undefined> {
  return store.writer.transaction().execute(async (tx) => {
    const { count } = await tx
      .selectFrom('alert_rules')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('organization_id', '=', rule.organizationId)
      .executeTakeFirstOrThrow()
    return count >= limits.alertRules ? undefined : insertAlertRule(tx, { ...rule, at: store.clock() })
  })
}

/** Adds a rule. Returns its id. Inside the caller's transaction. */
export async function insertAlertRule(
  tx: Transaction<Database>,
  { organizationId, projectId, rule, at }: AlertScope & { rule: AlertRule; at: number },
): Promise<string> {
  const id = randomUUID()
  await tx
    .insertInto('alert_rules')
    .values({
      id,
      organization_id: organizationId,
      project_id: projectId ?? null,
      rule: JSON.stringify(rule),
      created_at: at,
    })
    .execute()
  return id
}

/** The rules of an organization, oldest first. One statement. Left out: what this version cannot read. */
export async function listAlertRules(db: Kysely<Database>, organizationId: number): Promise<StoredRule[]> {
  const rows = await db
    .selectFrom('alert_rules')
    .select(['id', 'project_id', 'rule'])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, project_id: projectId, rule: text }) => {
    const { success, output } = v.safeParse(alertRule, JSON.parse(text))
    return success ? [{ id, organizationId, ...(projectId !== null && { projectId }), rule: output }] : []
  })
}

/** A rule that people change or delete, in the organization or the project that they configure. */
export interface RuleReference {
  organizationId: number
  ruleId: string
}

/** Replaces a rule. Returns false if there is none. */
export async function updateAlertRule(
  store: Store,
  { organizationId, ruleId, projectId, rule }: RuleReference & { projectId?: number; rule: AlertRule },
): Promise<boolean> {
  const { numUpdatedRows } = await store.writer
    .updateTable('alert_rules')
    .set({ rule: JSON.stringify(rule), project_id: projectId ?? null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', ruleId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a rule with its mutes. What it decided stays in the ledger. Returns false if there is none. */
export async function deleteAlertRule(
  store: Store,
  { organizationId, ruleId }: RuleReference,
): Promise<boolean> {
  const { numDeletedRows } = await store.writer
    .deleteFrom('alert_rules')
    .where('organization_id', '=', organizationId)
    .where('id', '=', ruleId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
