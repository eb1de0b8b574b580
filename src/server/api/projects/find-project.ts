import type * as v from 'valibot'
import { answer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import { findMembership, type ApiCall } from '#server/api/api-route.ts'
import { findNamedProject } from '#server/api/project-scope.ts'
import type { Membership } from '#server/auth/viewer.ts'
import { listProjectRows, type ProjectOverview } from '#server/store/projects/projects.ts'
import type { organizationAnswer, projectAnswer } from './answer.ts'

/** Answers with the project in the path. One statement. */
export async function readProject(call: ApiCall): Promise<ApiAnswer> {
  const membership = findMembership(call)
  const project = membership && (await findProject(call, membership))
  return membership && project ? answer(toProjectJson(call, { project, membership })) : notFoundAnswer
}

/** The project in the path, by slug or id. Undefined if the viewer has no access. One statement. */
export async function findProject(
  { services: { store, clock }, params }: ApiCall,
  { projectIds }: Membership,
): Promise<ProjectOverview | undefined> {
  const rows = await listProjectRows(store.db, { projectIds, now: clock() })
  return findNamedProject(rows, params['project'])
}

const avatar = { avatarType: 'letter_avatar', avatarUuid: null } as const

/** An organization of the token's user. */
export function toOrganizationJson(
  { services: { publicOrigin } }: ApiCall,
  membership: Membership,
): v.InferOutput<typeof organizationAnswer> {
  const { organizationId, organizationSlug, organizationName, organizationCreatedAt, role } = membership
  return {
    id: String(organizationId),
    slug: organizationSlug,
    name: organizationName,
    dateCreated: new Date(organizationCreatedAt).toISOString(),
    isEarlyAdopter: false,
    require2FA: false,
    requireEmailVerification: false,
    hasAuthProvider: false,
    avatar,
    status: { id: 'active', name: 'active' },
    role,
    orgRole: role,
    features: [],
    links: { organizationUrl: publicOrigin, regionUrl: publicOrigin },
  }
}

/** A project in the format of Sentry's API. */
export function toProjectJson(
  call: ApiCall,
  { project, membership }: { project: ProjectOverview; membership: Membership },
): v.InferOutput<typeof projectAnswer> {
  const { id, slug, name, platform, createdAt, firstEventAt } = project
  return {
    id: String(id),
    slug,
    name,
    platform: platform ?? null,
    dateCreated: new Date(createdAt).toISOString(),
    firstEvent: firstEventAt === undefined ? null : new Date(firstEventAt).toISOString(),
    status: 'active',
    isMember: true,
    hasAccess: true,
    isPublic: false,
    isInternal: project.isBuiltIn,
    isBookmarked: false,
    avatar,
    organization: toOrganizationJson(call, membership),
    team: null,
    teams: [],
    features: [],
  }
}
