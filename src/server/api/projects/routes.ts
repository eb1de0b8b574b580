import * as v from 'valibot'
import { answer, answerPage, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import type { Membership } from '#server/auth/viewer.ts'
import { listFilterChoices, listProjectRows } from '#server/store/projects/projects.ts'
import {
  callerAnswer,
  environmentAnswer,
  organizationAnswer,
  projectAnswer,
  regionsAnswer,
  rootAnswer,
} from './answer.ts'
import { projectChangeRoutes } from './change-routes.ts'
import { readProject, toOrganizationJson, toProjectJson } from './find-project.ts'
import { keyRoutes } from './key-routes.ts'
import { ownershipRoutes } from './ownership-routes.ts'
import { projectQueryText, readProjectQuery } from './project-query.ts'
import { sourceLinkRoute } from './source-link-route.ts'
import { thresholdRoutes } from './threshold-routes.ts'

/** Lists that clients of Sentry request, and that have no entries in Culvert. */
const emptyLists = new Map([
  ['repos', 'None: Culvert has no repositories of source code.'],
  ['teams', 'None: Culvert has no teams.'],
  ['integrations', 'None: Culvert has no integrations of organizations.'],
])

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
    summary: 'The regions of the organizations: this server only.',
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
    query: { query: projectQueryText },
    answers: v.array(projectAnswer),
    isPaged: true,
    handle: async (call) => {
      const membership = findMembership(call)
      return membership === undefined ? notFoundAnswer : answerProjects(call, [membership])
    },
  },
  {
    method: 'GET',
    path: '/projects/',
    scope: 'project:read',
    summary: 'Every project that the token’s user has access to.',
    query: { query: projectQueryText },
    answers: v.array(projectAnswer),
    isPaged: true,
    handle: (call) => answerProjects(call, call.viewer.memberships),
  },
  {
    method: 'GET',
    path: '/projects/{org}/{project}/',
    scope: 'project:read',
    summary: 'One project.',
    answers: projectAnswer,
    handle: readProject,
  },
  ...['/organizations/{org}/environments/', '/projects/{org}/{project}/environments/'].map(
    (path): ApiRoute => ({
      method: 'GET',
      path,
      scope: 'project:read',
      summary: 'The environments of events.',
      answers: v.array(environmentAnswer),
      isPaged: true,
      handle: listEnvironments,
    }),
  ),
  ...[...emptyLists].map(([list, summary]): ApiRoute => ({
    method: 'GET',
    path: `/organizations/{org}/${list}/`,
    scope: 'org:read',
    summary,
    answers: v.array(v.never()),
    isPaged: true,
    handle: (call) => (findMembership(call) ? answerPage(call.url, { rows: [] }) : notFoundAnswer),
  })),
  sourceLinkRoute,
  ...thresholdRoutes,
  ...ownershipRoutes,
  ...projectChangeRoutes,
  ...keyRoutes,
]

async function listEnvironments(call: ApiCall): Promise<ApiAnswer> {
  const projectScope = await findProjectScope(call)
  if (projectScope === undefined) return notFoundAnswer
  const { environments } = await listFilterChoices(call.services.store.db, projectScope.projectIds)
  return answerPage(call.url, { rows: environments.map((name) => ({ id: name, name, isHidden: false })) })
}

function toCallerJson({ userId, name, email }: ApiCall['viewer']) {
  return { id: userId, name, email, username: email }
}

async function answerProjects(call: ApiCall, memberships: readonly Membership[]): Promise<ApiAnswer> {
  const { store, clock } = call.services
  const matches = await readProjectQuery(store.db, call.url.searchParams.get('query') ?? '')
  const found = await Promise.all(
    memberships.map(async (membership) => {
      const rows = await listProjectRows(store.db, { projectIds: membership.projectIds, now: clock() })
      return rows.filter(matches).map((project) => toProjectJson(call, { project, membership }))
    }),
  )
  return answerPage(call.url, { rows: found.flat() })
}
