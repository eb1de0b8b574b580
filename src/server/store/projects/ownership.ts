import { sql } from 'kysely'
import { hasAccessToOneOf } from '#server/store/accounts/access.ts'
import type { Db } from '#server/store/schema/database.ts'
import { parseCodeOwners } from '#source-links/owners/code-owners.ts'
import {
  findOwners,
  findOwnerUser,
  type FoundOwners,
  type OwnerCandidate,
  type Ownership,
} from '#source-links/owners/find-owners.ts'
import { parseOwnershipRules, type OwnershipSubject } from '#source-links/owners/ownership-rules.ts'
import { findProjectSettings, type ProjectSettings } from './settings.ts'

/** Owners with the users they refer to. */
interface OwnersWithUsers extends Omit<FoundOwners, 'owners'> {
  /** `name` as written in the rules; without a user it is a team, or unknown. */
  owners: { name: string; user?: { userId: string; name: string } }[]
}

/** The ownership of a project, with the users that can be owners. */
export interface ProjectOwnership {
  ownership: Ownership
  isAutoAssigned: boolean
  users: readonly OwnerCandidate[]
}

/** The users with access to the project, with their addresses. One statement. */
export function listOwnerCandidates(db: Db, projectId: number): Promise<OwnerCandidate[]> {
  return db
    .selectFrom('projects as p')
    .innerJoin('memberships as m', 'm.organization_id', 'p.organization_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id as userId', 'u.name', 'u.email'])
    .where('p.id', '=', projectId)
    .where(hasAccessToOneOf(sql`(p.id)`))
    .execute()
}

const parsed = new WeakMap<ProjectSettings, Ownership>()

/**
 * The parsed ownership in a project's settings; undefined if there is none. Cached per object: equal settings
 * are the same object.
 */
export function parseOwnership(settings: ProjectSettings): Ownership | undefined {
  const { rules, codeOwners } = settings.ownership
  if (rules === '' && codeOwners === '') return undefined
  const known = parsed.get(settings)
  if (known !== undefined) return known
  const ownership = {
    rules: parseOwnershipRules(rules).lines,
    codeOwners: parseCodeOwners(codeOwners).lines,
    roots: settings.sourceLinks.roots,
  }
  parsed.set(settings, ownership)
  return ownership
}

/** The ownership of a project; undefined if there is none. At most two statements. */
export async function readProjectOwnership(db: Db, projectId: number): Promise<ProjectOwnership | undefined> {
  const settings = await findProjectSettings(db, projectId)
  const ownership = settings && parseOwnership(settings)
  if (settings === undefined || ownership === undefined) return undefined
  const { isAutoAssigned } = settings.ownership
  return { ownership, isAutoAssigned, users: await listOwnerCandidates(db, projectId) }
}

/** The owners of an event or issue. */
export function resolveOwners(
  { ownership, users }: Pick<ProjectOwnership, 'ownership' | 'users'>,
  subject: OwnershipSubject,
): OwnersWithUsers | undefined {
  const found = findOwners(ownership, subject)
  return (
    found && {
      ...found,
      owners: found.owners.map((name) => {
        const user = findOwnerUser(name, users)
        return { name, user: user && { userId: user.userId, name: user.name } }
      }),
    }
  )
}
