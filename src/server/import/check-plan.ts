import type { AlertRule } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import { listDeletedProjects } from '#server/store/projects/deleted.ts'
import { listKeyRows } from '#server/store/projects/key-changes.ts'
import { isProjectSlug, listProjectNames } from '#server/store/projects/projects.ts'
import { toSlug } from '#server/store/projects/slug.ts'
import type { Db } from '#server/store/schema/database.ts'
import { toAlertRule } from './alert-rule.ts'
import type { ImportPlan, LeftOut, PlannedKey, PlannedProject } from './plan.ts'

/** The effect of an import on a project. */
export interface CheckedProject {
  planned: PlannedProject
  /** `renumbered`: another project has its id. `existing`: it was imported before. */
  kind: 'added' | 'renumbered' | 'existing'
  /** The id in Culvert; absent for a renumbered project, which gets the next free id. */
  projectId?: number
  slug: string
  /** Keys that do not exist here. */
  newKeys: PlannedKey[]
  ruleNames: string[]
}

/** A plan compared with the installation. */
export interface CheckedPlan {
  plan: ImportPlan
  projects: CheckedProject[]
  /** Email addresses of members without an account here. */
  newMembers: string[]
  leftOut: LeftOut[]
  /** Conflicts; if there are any, nothing is imported. */
  problems: string[]
}

/** Compares a plan with the installation without changing it. */
export async function checkPlan(db: Db, plan: ImportPlan): Promise<CheckedPlan> {
  const keyHolders = new Map(
    (await listKeyRows(db)).map(({ publicKey, projectId }) => [publicKey, projectId]),
  )
  const names = await listProjectNames(db)
  const takenIds = new Set(
    [...names, ...(await listDeletedProjects(db)).map(({ projectId: id }) => ({ id }))].map(({ id }) => id),
  )
  const takenSlugs = new Map(names.map(({ id, slug }) => [slug, id]))
  const problems = findRepeatedKeys(plan)
  const leftOut = [...plan.leftOut]
  const hasOrganizations = new Set(plan.projects.map((project) => project.organizationSlug)).size > 1
  const projects = plan.projects.flatMap((planned): CheckedProject[] => {
    const { id, keys, sourceSlug, organizationSlug = '' } = planned
    const holders = new Set(keys.flatMap(({ publicKey }) => keyHolders.get(publicKey) ?? []))
    const [projectId, ...others] = holders
    if (others.length > 0) {
      problems.push(
        `${sourceSlug}: its keys belong to several projects of Culvert: ${[...holders].join(', ')}.`,
      )
      return []
    }
    const newKeys = keys.filter(({ publicKey }) => !keyHolders.has(publicKey))
    if (projectId !== undefined) {
      const slug = names.find((name) => name.id === projectId)?.slug ?? ''
      return [{ planned, kind: 'existing', projectId, slug, newKeys, ruleNames: [] }]
    }
    if (keys.length === 0)
      leftOut.push({ project: sourceSlug, text: 'it has no key: add one with "culvert key add"' })
    const wanted = hasOrganizations ? `${organizationSlug}-${sourceSlug}` : sourceSlug
    const slug = toFreeSlug(wanted, takenSlugs)
    takenSlugs.set(slug, id)
    if (slug !== wanted)
      leftOut.push({ project: sourceSlug, text: `its slug: it becomes ${slug}, also in short ids` })
    const isTaken = takenIds.has(id)
    takenIds.add(id)
    const rules = listRules(planned, leftOut)
    const ruleNames = rules.map(({ name }) => name)
    return isTaken
      ? [{ planned, kind: 'renumbered', slug, newKeys, ruleNames }]
      : [{ planned, kind: 'added', projectId: id, slug, newKeys, ruleNames }]
  })
  const emails = [...new Set(plan.members.map(({ email }) => email))]
  const known = await listKnownEmails(db)
  return { plan, projects, leftOut, problems, newMembers: emails.filter((email) => !known.has(email)) }
}

/** The importable rules, with a placeholder for each member. */
function listRules({ rules, sourceSlug }: PlannedProject, leftOut: LeftOut[]): AlertRule[] {
  return rules.flatMap(({ name, sent }) => {
    const read = toAlertRule(sent, (id) => id)
    if (read.problem !== undefined)
      leftOut.push({ project: sourceSlug, text: `the rule ${JSON.stringify(name)}: ${read.problem}` })
    return read.rule ?? []
  })
}

function findRepeatedKeys({ projects }: ImportPlan): string[] {
  const holders = new Map<string, string>()
  return projects.flatMap(({ sourceSlug, keys }) =>
    keys.flatMap(({ publicKey }) => {
      const holder = holders.get(publicKey)
      holders.set(publicKey, sourceSlug)
      return holder === undefined
        ? []
        : [`${sourceSlug}: its key ${publicKey} appears twice, also in ${holder}.`]
    }),
  )
}

function toFreeSlug(wanted: string, taken: ReadonlyMap<string, number>): string {
  const slug = toSlug(wanted, limits.projectSlugCharacters - 4) ?? 'project'
  for (let number = 1; ; number += 1) {
    const text = number === 1 ? slug : `${slug}-${number}`
    if (!taken.has(text) && isProjectSlug(text)) return text
  }
}

async function listKnownEmails(db: Db): Promise<Set<string>> {
  return new Set((await db.selectFrom('users').select('email').execute()).map(({ email }) => email))
}
