import * as v from 'valibot'
import { answer, answerPage, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import type { Membership } from '#server/auth/viewer.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import { listKeyRows, type KeyRow } from '#server/store/projects/key-changes.ts'
import { listFilterChoices, listProjectRows, type ProjectOverview } from '#server/store/projects/projects.ts'
import {
  callerAnswer,
  environmentAnswer,
  organizationAnswer,
  projectAnswer,
  projectKeyAnswer,
  regionsAnswer,
  rootAnswer,
} from './answer.ts'
import { ownershipRoutes } from './ownership-routes.ts'
import { sourceLinkRoute } from './source-link-route.ts'

/** The authenticated user, their organizations and their projects. */
export const projectRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/',
    summary: 'The token’s user and scopes.',
    answers: rootAnswer,
    handle: ({ viewer, scopes }) =>
      answer({
        version: '0',
        auth: { scopes: [...scopes] },
        user: toCallerJson(viewer),
      } satisfies v.InferOutput<typeof rootAnswer>),
  },
  ...['/auth/', '/users/me/'].map((path): ApiRoute => ({
    method: 'GET',
    path,
    summary: 'The token’s user.',
    answers: callerAnswer,
    handle: ({ viewer }) => answer(toCallerJson(viewer)),
  })),
  {
    method: 'GET',
    path: '/users/me/regions/',
    summary: 'Where the organizations are: all of them here.',
    answers: regionsAnswer,
    handle: ({ services }) => answer({ regions: [{ name: 'self-hosted', url: services.publicOrigin }] }),
  },
  {
    method: 'GET',
    path: '/organizations/',
    scope: 'org:read',
    summary: 'The organizations that the token’s user is a member of.',
    answers: v.array(organizationAnswer),
    isPaged: true,
    handle: (call) =>
      answerPage(call.url, { rows: call.viewer.memberships.map((each) => toOrganizationJson(call, each)) }),
  },
  {
    method: 'GET',
    path: '/organizations/{org}/',
    scope: 'org:read',
    summary: 'One organization.',
    answers: organizationAnswer,
    handle: (call) => {
      const membership = findMembership(call)
      return membership ? answer(toOrganizationJson(call, membership)) : notFoundAnswer
    },
  },
  {
    method: 'GET',
    path: '/organizations/{org}/projects/',
    scope: 'project:read',
    summary: 'The projects of an organization.',
    answers: v.array(projectAnswer),
    isPaged: true,
    handle: async (call) => {
      const membership = findMembership(call)
      if (membership === undefined) return notFoundAnswer
      return answerPage(call.url, { rows: await readProjects(call, [membership]) })
    },
  },
  {
    method: 'GET',
    path: '/projects/',
    scope: 'project:read',
    summary: 'Every project that the token’s user reaches.',
    answers: v.array(projectAnswer),
    isPaged: true,
    handle: async (call) => answerPage(call.url, { rows: await readProjects(call, call.viewer.memberships) }),
  },
  {
    method: 'GET',
    path: '/projects/{org}/{project}/',
    scope: 'project:read',
    summary: 'One project.',
    answers: projectAnswer,
    handle: readProject,
  },
  {
    method: 'GET',
    path: '/projects/{org}/{project}/keys/',
    scope: 'project:read',
    summary: 'The keys of a project, with the DSN of each.',
    answers: v.array(projectKeyAnswer),
    isPaged: true,
    handle: listKeys,
  },
  ...['/organizations/{org}/environments/', '/projects/{org}/{project}/environments/'].map(
    (path): ApiRoute => ({
      method: 'GET',
      path,
      scope: 'project:read',
      summary: 'The environments that events name.',
      answers: v.array(environmentAnswer),
      isPaged: true,
      handle: listEnvironments,
    }),
  ),
  ...['repos', 'teams'].map((what): ApiRoute => ({
    method: 'GET',
    path: `/organizations/{org}/${what}/`,
    scope: 'org:read',
    summary: `None: Culvert has no ${what === 'repos' ? 'repositories of source code' : 'teams'}.`,
    answers: v.array(v.never()),
    isPaged: true,
    handle: (call) => (findMembership(call) ? answerPage(call.url, { rows: [] }) : notFoundAnswer),
  })),
  sourceLinkRoute,
  ...ownershipRoutes,
]

async function listEnvironments(call: ApiCall): Promise<ApiAnswer> {
  const places = await findProjectScope(call)
  if (places === undefined) return notFoundAnswer
  const { environments } = await listFilterChoices(call.services.store.db, places.projectIds)
  return answerPage(call.url, { rows: environments.map((name) => ({ id: name, name, isHidden: false })) })
}

function toCallerJson({ userId, name, email }: ApiCall['viewer']) {
  return { id: userId, name, email, username: email }
}

async function listKeys(call: ApiCall): Promise<ApiAnswer> {
  const membership = findMembership(call)
  const project = membership && (await findProject(call, membership))
  if (project === undefined) return notFoundAnswer
  const { store, publicOrigin } = call.services
  const keys = await listKeyRows(store.db, project.id)
  return answerPage(call.url, { rows: keys.map((key) => toKeyJson(key, publicOrigin)) })
}

function toKeyJson(
  { publicKey, projectId, label, isActive, createdAt, settings }: KeyRow,
  origin: string,
): v.InferOutput<typeof projectKeyAnswer> {
  const limit = settings.rateLimits['error'] ?? settings.rateLimits['all']
  return {
    id: publicKey,
    name: label,
    label,
    public: publicKey,
    projectId,
    isActive,
    dateCreated: new Date(createdAt).toISOString(),
    rateLimit: limit === undefined ? null : { window: limit.windowSeconds, count: limit.quantity },
    dsn: {
      public: toProjectDsn(origin, { publicKey, projectId }),
      security: `${origin}/api/${projectId}/security/?sentry_key=${publicKey}`,
    },
  }
}

async function readProject(call: ApiCall): Promise<ApiAnswer> {
  const membership = findMembership(call)
  const project = membership && (await findProject(call, membership))
  return membership && project ? answer(toProjectJson(call, { project, membership })) : notFoundAnswer
}

/** The project in the path, by slug or id. Undefined if the viewer has no access. One statement. */
async function findProject(
  { services: { store, clock }, params }: ApiCall,
  { projectIds }: Membership,
): Promise<ProjectOverview | undefined> {
  const rows = await listProjectRows(store.db, { projectIds, now: clock() })
  return rows.find(({ id, slug }) => slug === params['project'] || String(id) === params['project'])
}

async function readProjects(call: ApiCall, memberships: readonly Membership[]) {
  const { store, clock } = call.services
  const found = await Promise.all(
    memberships.map(async (membership) => {
      const rows = await listProjectRows(store.db, { projectIds: membership.projectIds, now: clock() })
      return rows.map((project) => toProjectJson(call, { project, membership }))
    }),
  )
  return found.flat()
}

const avatar = { avatarType: 'letter_avatar', avatarUuid: null } as const

function toOrganizationJson(
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
    features: [],
    links: { organizationUrl: publicOrigin, regionUrl: publicOrigin },
  }
}

function toProjectJson(
  call: ApiCall,
  { project, membership }: { project: ProjectOverview; membership: Membership },
): v.InferOutput<typeof projectAnswer> {
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
