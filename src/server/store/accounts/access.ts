import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { rolesWithAllProjects } from '#server/auth/roles.ts'
import { jsonNumbers } from '#server/store/engine/per-engine.ts'

const roles = sql.join(rolesWithAllProjects.map((role) => sql.lit(role)))

/** The projects of the membership `m`, as a JSON array of ids. */
export const namedProjectIds = sql<string>`(select ${jsonNumbers(sql.ref('pm.project_id'))} from project_members pm
  join projects p on p.id = pm.project_id
  where pm.user_id = m.user_id and p.organization_id = m.organization_id)`

/** True if the membership `m` gives access to every project of its organization. */
export const hasAccessToAll = sql<SqlBool>`(m.has_all_projects = 1 or m.role in (${roles}))`

/**
 * The access rule: true if the membership `m` gives access to at least one of the projects. `projectIds` is a
 * list or a subquery in parentheses, of projects of the membership's organization.
 */
export function hasAccessToOneOf(projectIds: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${hasAccessToAll}
    or exists (select 1 from project_members pm where pm.user_id = m.user_id and pm.project_id in ${projectIds}))`
}
