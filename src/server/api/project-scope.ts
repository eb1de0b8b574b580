import type { Role } from '#server/auth/roles.ts'
import type { Membership } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { errorAnswer, notFoundAnswer, type ApiAnswer } from './api-answer.ts'
import { findMembership, type ApiCall } from './api-route.ts'
import type { ReadParameters } from './read-cursor.ts'

/** The scope of a request: the organization in its path and the accessible projects that it names. */
export interface ProjectScope {
  membership: Membership
  projects: ProjectName[]
  projectIds: number[]
}

/**
 * Reads the scope from the path (`{org}`, `{project}` by slug or id) and the query (`project` by id or slug,
 * repeatable; -1 means all; Sentry's clients also send `projectSlug`). Undefined if the viewer has no access
 * to one of them. One statement.
 */
export async function findProjectScope(call: ApiCall): Promise<ProjectScope | undefined> {
  const membership = findMembership(call)
  if (membership === undefined) return undefined
  const reached = await listReachedProjects(call, membership)
  const inPath = call.params['project']
  const names = inPath === undefined ? namesInQuery(call) : [inPath]
  const named = new Set(names.map((name) => findNamedProject(reached, name)))
  if (named.has(undefined)) return undefined
  const projects = names.length === 0 ? reached : reached.filter((project) => named.has(project))
  return { membership, projects, projectIds: projects.map(({ id }) => id) }
}

/** Adds the unknown projects of the query to a 404 response. */
export async function explainNotFound(call: ApiCall): Promise<ApiAnswer> {
  const membership = findMembership(call)
  const names = call.params['project'] === undefined ? namesInQuery(call) : []
  if (membership === undefined || names.length === 0) return notFoundAnswer
  const reached = await listReachedProjects(call, membership)
  const unknown = names.filter((name) => findNamedProject(reached, name) === undefined)
  if (unknown.length === 0) return notFoundAnswer
  const hint = 'Use ids or slugs of projects that you have access to, or -1 for all.'
  return errorAnswer(404, `Unknown project parameter: ${unknown.join(', ')}. ${hint}`)
}

async function listReachedProjects(call: ApiCall, { projectIds }: Membership): Promise<ProjectName[]> {
  const reach = new Set(projectIds)
  const all = await listProjectNames(call.services.store.db)
  return all.filter(({ id }) => reach.has(id))
}

/** Names of all projects in Sentry's API. */
const allProjects: ReadonlySet<string> = new Set(['-1', '$all'])

function namesInQuery({ url: { searchParams } }: ApiCall): string[] {
  const names = [...searchParams.getAll('project'), ...searchParams.getAll('projectSlug')]
  return names.filter((name) => !allProjects.has(name))
}

/** The project in the path, and the role of the viewer in its organization. */
export async function findPathProject(call: ApiCall): Promise<{ projectId: number; role: Role } | undefined> {
  const scope = await findProjectScope(call)
  const [project] = scope?.projects ?? []
  return scope && project && { projectId: project.id, role: scope.membership.role }
}

/**
 * The project with this id or slug. A slug of digits may be equal to the id of another project: the id takes
 * precedence.
 */
export function findNamedProject<Project extends Pick<ProjectName, 'id' | 'slug'>>(
  projects: readonly Project[],
  name: string | undefined,
): Project | undefined {
  return projects.find(({ id }) => String(id) === name) ?? projects.find(({ slug }) => slug === name)
}

/** Parses `per_page` or `limit`: 100 by default, at most `most`. */
export function readPageSize(
  { searchParams }: URL,
  most: number = limits.apiPageRows,
): ReadParameters<number> {
  const text = searchParams.get('per_page') || searchParams.get('limit') || String(limits.apiPageRows)
  const requested = Number(text)
  return Number.isSafeInteger(requested) && requested > 0
    ? { ok: true, value: Math.min(requested, most) }
    : { ok: false, error: errorAnswer(400, `Invalid per_page value: use a number from 1 to ${most}.`) }
}
