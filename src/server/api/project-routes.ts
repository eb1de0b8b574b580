import type { Membership } from '#server/auth/viewer.ts'
import { listProjectRows, type ProjectOverview } from '#server/store/projects.ts'
import { answer, notFoundAnswer, type ApiAnswer } from './api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from './api-route.ts'

/** Who calls, their organizations and their projects. */
export const projectRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/',
    summary: 'Who the token belongs to and what it may do.',
    handle: ({ viewer, scopes }) =>
      answer({
        version: '0',
        auth: { scopes },
        user: { id: viewer.userId, name: viewer.name, email: viewer.email, username: viewer.email },
      }),
  },
  {
    method: 'GET',
    path: '/users/me/regions/',
    summary: 'Where the organizations are: all of them here.',
    handle: ({ services }) => answer({ regions: [{ name: 'self-hosted', url: services.publicOrigin }] }),
  },
  {
    method: 'GET',
    path: '/organizations/',
    scope: 'org:read',
    summary: 'The organizations that the token’s user is a member of.',
    handle: ({ viewer }) => answer(viewer.memberships.map(toOrganizationJson)),
  },
  {
    method: 'GET',
    path: '/organizations/{org}/',
    scope: 'org:read',
    summary: 'One organization.',
    handle: (call) => {
      const membership = findMembership(call)
      return membership ? answer(toOrganizationJson(membership)) : notFoundAnswer
    },
  },
  {
    method: 'GET',
    path: '/organizations/{org}/projects/',
    scope: 'project:read',
    summary: 'The projects of an organization.',
    handle: async (call) => {
      const membership = findMembership(call)
      return membership ? answer(await readProjects(call, [membership])) : notFoundAnswer
    },
  },
  {
    method: 'GET',
    path: '/projects/',
    scope: 'project:read',
    summary: 'Every project that the token’s user reaches.',
    handle: async (call) => answer(await readProjects(call, call.viewer.memberships)),
  },
  {
    method: 'GET',
    path: '/projects/{org}/{project}/',
    scope: 'project:read',
    summary: 'One project.',
    handle: readProject,
  },
  {
    method: 'GET',
    path: '/organizations/{org}/repos/',
    scope: 'org:read',
    summary: 'Repositories of source code: none, Culvert reads no repository.',
    handle: (call) => (findMembership(call) ? answer([]) : notFoundAnswer),
  },
]

async function readProject(call: ApiCall): Promise<ApiAnswer> {
  const membership = findMembership(call)
  const project = membership && (await findProject(call, membership))
  return membership && project ? answer(toProjectJson(project, membership)) : notFoundAnswer
}

/** The project that a path names, by slug or id; undefined where the viewer does not reach it. One statement. */
async function findProject(
  { services: { store, clock }, params }: ApiCall,
  { projectIds }: Membership,
): Promise<ProjectOverview | undefined> {
  const rows = await listProjectRows(store.db, { projectIds, now: clock() })
  return rows.find(({ id, slug }) => slug === params['project'] || String(id) === params['project'])
}

async function readProjects({ services }: ApiCall, memberships: readonly Membership[]) {
  const { store, clock } = services
  const found = await Promise.all(
    memberships.map(async (membership) => {
      const rows = await listProjectRows(store.db, { projectIds: membership.projectIds, now: clock() })
      return rows.map((project) => toProjectJson(project, membership))
    }),
  )
  return found.flat()
}

function toOrganizationJson(membership: Membership) {
  const { organizationId, organizationSlug, organizationName, organizationCreatedAt, role } = membership
  return {
    id: String(organizationId),
    slug: organizationSlug,
    name: organizationName,
    dateCreated: new Date(organizationCreatedAt).toISOString(),
    isEarlyAdopter: false,
    require2FA: false,
    status: { id: 'active', name: 'active' },
    role,
    features: [],
  }
}

function toProjectJson(project: ProjectOverview, membership: Membership) {
  const { id, slug, name, platform, createdAt } = project
  return {
    id: String(id),
    slug,
    name,
    platform: platform ?? null,
    dateCreated: new Date(createdAt).toISOString(),
    status: 'active',
    isMember: true,
    hasAccess: true,
    organization: toOrganizationJson(membership),
    team: null,
    teams: [],
    features: [],
  }
}
