import { randomInt, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { alertRule } from '#alerts/rule-schema.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { parseColumn } from '#server/store/unreadable-rows.ts'
import type { UnreadableRule } from './records.ts'
import type { RuleIndex } from './rule-index.ts'

/** The scope of a rule: a project, or all projects of the organization. */
export interface AlertScope {
  organizationId: number
  projectId?: number
}

/** A stored rule. */
export interface StoredRule extends AlertScope {
  id: string
  rule: AlertRule
  /** Unix milliseconds; 0 for a built-in one. */
  createdAt: number
  /** JSON as a client of the API sent it. */
  sent?: string | undefined
}

/** Adds a rule, unless the organization has reached the limit. Returns its id. */
export function recordAlertRule(
  store: Store,
  rule: AlertScope & { rule: AlertRule; sent?: string },
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

/** Adds a rule. Returns its id. Call inside a transaction. */
export async function insertAlertRule(
  tx: Tx,
  { organizationId, projectId, rule, sent, at }: AlertScope & { rule: AlertRule; sent?: string; at: number },
): Promise<string> {
  const id = randomUUID()
  await tx
    .insertInto('alert_rules')
    .values({
      id,
      organization_id: organizationId,
      project_id: projectId ?? null,
      rule: JSON.stringify(rule),
      sent: sent ?? null,
      created_at: at,
      revision: createRevision(),
    })
    .execute()
  return id
}

/** Small enough that the sum of all revisions is a safe integer. */
function createRevision(): number {
  return randomInt(2 ** 40)
}

/** The cache of a process for rules: reading and parsing 200 takes milliseconds. */
export interface KnownRules {
  /** By organization, or 0 for all: the list, and a stamp of the number and revisions of its rules. */
  lists: Map<number, { stamp: string; rules: readonly StoredRule[] }>
  /** Parsed rules by their JSON. */
  parsed: BoundedMap<string, AlertRule | undefined>
  /** By project: the index that was built from these rules. */
  indexes: BoundedMap<number, { of: readonly StoredRule[]; index: RuleIndex }>
}

/** Creates an empty cache. Pass it to each call of `listAlertRules`. */
export function createKnownRules(): KnownRules {
  return {
    lists: new Map(),
    parsed: new BoundedMap(2 * limits.alertRules),
    indexes: new BoundedMap(limits.alertProjectsKept),
  }
}

/**
 * The rules of an organization or of all, oldest first. One statement if the cache is up to date, otherwise
 * two. Without rules that this version cannot read: `listUnreadableRules`.
 */
export async function listAlertRules(
  db: Db,
  organizationId?: number,
  known?: KnownRules,
): Promise<readonly StoredRule[]> {
  const rules = db
    .selectFrom('alert_rules')
    .$if(organizationId !== undefined, (of) => of.where('organization_id', '=', organizationId ?? 0))
  const list = known?.lists.get(organizationId ?? 0)
  if (list !== undefined) {
    const { count, sum } = await rules
      .select((of) => [of.fn.countAll<number>().as('count'), of.fn.sum<number | null>('revision').as('sum')])
      .executeTakeFirstOrThrow()
    if (toStamp(count, sum ?? 0) === list.stamp) return list.rules
  }
  const rows = await rules
    .select(['id', 'organization_id', 'project_id', 'rule', 'sent', 'created_at', 'revision'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const { parsed, lists } = known ?? createKnownRules()
  const found = rows.flatMap(({ id, created_at: createdAt, rule: text, ...row }): StoredRule[] => {
    const rule = parsed.getOrCreate(text, () => parseRule(id, text))
    if (rule === undefined) return []
    const scope = { organizationId: row.organization_id, projectId: row.project_id ?? undefined }
    return [{ id, ...scope, createdAt, rule, sent: row.sent ?? undefined }]
  })
  const sum = rows.reduce((total, { revision }) => total + revision, 0)
  lists.set(organizationId ?? 0, { stamp: toStamp(rows.length, sum), rules: found })
  return found
}

function toStamp(count: number, revisionSum: number): string {
  return `${count} ${revisionSum}`
}

const ruleText = v.pipe(v.string(), v.parseJson(), alertRule)
const nameText = v.pipe(v.string(), v.parseJson(), v.object({ name: v.string() }))

function parseRule(id: string, text: string): AlertRule | undefined {
  return parseColumn(ruleText, text, { table: 'alert_rules', id })
}

/** The rules of a project, and of all projects of its organization, that this version cannot read. */
export async function listUnreadableRules(
  db: Db,
  { organizationId, projectId }: Required<AlertScope>,
): Promise<UnreadableRule[]> {
  const rows = await db
    .selectFrom('alert_rules')
    .select(['id', 'rule'])
    .where('organization_id', '=', organizationId)
    .where((is) => is.or([is('project_id', 'is', null), is('project_id', '=', projectId)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, rule }) => {
    if (v.is(ruleText, rule)) return []
    const named = v.safeParse(nameText, rule)
    return [{ id, name: named.success ? named.output.name : '' }]
  })
}

/** Identifies a rule in the organization or project that the user configures. */
export interface RuleReference {
  organizationId: number
  ruleId: string
}

/** The scope of a rule, also of one that this version cannot read; undefined if there is none. */
export async function findRuleScope(
  db: Db,
  { organizationId, ruleId }: RuleReference,
): Promise<AlertScope | undefined> {
  const row = await db
    .selectFrom('alert_rules')
    .select('project_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', ruleId)
    .executeTakeFirst()
  return row && { organizationId, projectId: row.project_id ?? undefined }
}

/** Replaces a rule. Returns false if there is none. */
export async function updateAlertRule(
  store: Store,
  {
    organizationId,
    ruleId,
    projectId,
    rule,
    sent,
  }: RuleReference & { projectId?: number; rule: AlertRule; sent?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await store.writer
    .updateTable('alert_rules')
    .set({
      rule: JSON.stringify(rule),
      sent: sent ?? null,
      project_id: projectId ?? null,
      revision: createRevision(),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', ruleId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a rule with its mutes. Its decisions remain in the ledger. Returns false if there is none. */
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

/** A rule that is imported; without `projectId` for all projects. */
export interface RuleToImport {
  projectId?: number | undefined
  rule: AlertRule
}

/** Imports rules in one transaction: each replaces the rule with the same name in the same project. */
export function recordImportedRules(
  store: Store,
  rules: readonly RuleToImport[],
): Promise<{ addedCount: number; replacedCount: number }> {
  return store.writer.transaction().execute(async (tx) => {
    let addedCount = 0
    for (const { projectId, rule } of rules) {
      const organizationId = await findOrganizationOfRule(tx, projectId)
      const known = await listAlertRules(tx, organizationId)
      const same = known.find((each) => each.projectId === projectId && each.rule.name === rule.name)
      if (same === undefined) {
        await insertAlertRule(tx, { organizationId, projectId, rule, at: store.clock() })
        addedCount += 1
      } else {
        await tx
          .updateTable('alert_rules')
          .set({ rule: JSON.stringify(rule), sent: null, revision: createRevision() })
          .where('id', '=', same.id)
          .execute()
      }
    }
    return { addedCount, replacedCount: rules.length - addedCount }
  })
}

/** The organization of an imported rule. Rules for all projects belong to the first one. */
export async function findOrganizationOfRule(db: Db, projectId: number | undefined): Promise<number> {
  return projectId === undefined ? 1 : ((await findOrganizationOfProject(db, projectId)) ?? 1)
}

/** The organization of a project; undefined if there is none. One statement. */
export async function findOrganizationOfProject(db: Db, projectId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('projects')
    .select('organization_id')
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row?.organization_id
}
