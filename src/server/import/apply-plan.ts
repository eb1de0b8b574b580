import { randomBytes } from 'node:crypto'
import { defaultRule } from '#alerts/built-in-rules.ts'
import { firstOrganizationId, parseEmail } from '#server/auth/new-accounts.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { limits } from '#server/limits.ts'
import { findUserByEmail, insertUser, putMembership } from '#server/store/accounts/users.ts'
import { insertAlertRule } from '#server/store/alerts/rules.ts'
import { insertProjectKey, markImportedKey } from '#server/store/projects/key-changes.ts'
import { insertProject } from '#server/store/projects/projects.ts'
import { toSettingsDocument } from '#server/store/projects/settings.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { toAlertRule } from './alert-rule.ts'
import type { CheckedPlan, CheckedProject } from './check-plan.ts'
import type { PlannedProject } from './plan.ts'

/** A project in Culvert and the corresponding one in the other tracker. */
export interface ImportedProject {
  planned: PlannedProject
  projectId: number
  slug: string
}

/** Imports projects, keys, settings, rules and members in one transaction. Existing ones are not changed. */
export async function applyPlan(store: Store, { plan, projects }: CheckedPlan): Promise<ImportedProject[]> {
  // Imported accounts have an unknown password; a link sets another one.
  const passwordHash = await hashPassword(randomBytes(32).toString('hex'))
  const at = store.clock()
  return store.writer.transaction().execute(async (tx) => {
    const userIds = new Map<string, string>()
    for (const { sourceUserId, email: text, name, role } of plan.members) {
      const email = parseEmail(text)
      if (email === undefined) continue
      const known = await findUserByEmail(tx, email)
      const userId =
        known?.id ??
        (await insertUser(tx, {
          name: name.slice(0, limits.nameCharacters),
          email,
          passwordHash,
          isEmailVouchedFor: true,
          at,
        }))
      if (known === undefined)
        await putMembership(tx, { organizationId: firstOrganizationId, userId, role, at })
      if (sourceUserId !== undefined) userIds.set(sourceUserId, userId)
    }
    const imported: ImportedProject[] = []
    for (const project of projects) imported.push(await applyProject(tx, project, { userIds, at }))
    return imported
  })
}

async function applyProject(
  tx: Tx,
  { planned, kind, projectId: knownId, slug, newKeys }: CheckedProject,
  { userIds, at }: { userIds: ReadonlyMap<string, string>; at: number },
): Promise<ImportedProject> {
  const { id, name, platform, settings, rules } = planned
  const projectId = kind === 'existing' && knownId !== undefined ? knownId : await insert()
  for (const { rateLimit, label, ...key } of newKeys) {
    const rateLimits: Record<string, { quantity: number; windowSeconds: number }> = rateLimit
      ? { all: rateLimit }
      : {}
    const formerProjectId = projectId === id ? undefined : id
    await insertProjectKey(
      tx,
      {
        ...key,
        projectId,
        label: label.slice(0, limits.projectNameCharacters),
        settings: { rateLimits, formerProjectId, importedAt: at },
      },
      at,
    )
  }
  // Keys that an earlier version imported have no time of import yet.
  const newOnes = new Set(newKeys.map(({ publicKey }) => publicKey))
  for (const { publicKey } of planned.keys)
    if (!newOnes.has(publicKey)) await markImportedKey(tx, publicKey, at)
  return { planned, projectId, slug }

  async function insert(): Promise<number> {
    const settingsText = JSON.stringify(toSettingsDocument(settings))
    const project = await insertProject(
      tx,
      {
        id: knownId,
        slug,
        name: name.slice(0, limits.projectNameCharacters),
        platform,
        settings: settingsText,
      },
      at,
    )
    const read = rules.flatMap(({ sent }) => toAlertRule(sent, (userId) => userIds.get(userId)).rule ?? [])
    const organizationId = firstOrganizationId
    for (const rule of read.length > 0 ? read : [defaultRule])
      await insertAlertRule(tx, { organizationId, projectId: project.id, rule, at })
    return project.id
  }
}
