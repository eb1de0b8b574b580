import * as v from 'valibot'
import { findDirectTarget } from '#search/direct-target.ts'
import type { ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import { findRequestedIssue } from '#server/api/issues/find-issue.ts'
import { findNamedProject } from '#server/api/project-scope.ts'
import { reachableProjects } from '#server/auth/viewer.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { listed } from './text.ts'
import { ToolError, type ToolCall } from './tool.ts'

/** Converts a tool call to a call of the API's functions. */
export function toApiCall(
  { services, viewer, scopes }: ToolCall,
  {
    params = {},
    query = {},
  }: { params?: Record<string, string>; query?: Record<string, string | undefined> },
): ApiCall {
  const url = new URL('/api/0/', services.publicOrigin)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return { services, viewer, scopes, url, params, readBody: rejectBody, readForm: rejectBody }
}

/** Tools get their input as arguments, not from a body. */
function rejectBody(): Promise<never> {
  return Promise.reject(new Error('The tool call has no body.'))
}

/** The sentences of an API error. */
export function toProblem({ body }: ApiAnswer): string {
  return typeof body === 'object' && body !== null
    ? Object.values(body).flat().join(' ')
    : 'The input is invalid.'
}

/** The id, short id or URL of an issue. */
export const issueName = v.pipe(v.string(), v.maxLength(300), v.description('Id, `SHOP-1A` or URL.'))

/** Finds the issue with an id, a short id or a URL of the console. */
export async function findNamedIssue(call: ToolCall, name: string): Promise<IssueSummary> {
  const target = findDirectTarget(name)
  const text = target?.kind === 'issue' ? target.issueId : shortIdIn(name)
  const found = await findRequestedIssue(toApiCall(call, { params: { issue: text } }))
  if (found === undefined)
    throw new ToolError(
      'There is no such issue, or the token’s owner has no access to it. Use search_issues.',
    )
  return found.issue
}

/** Extracts `SHOP-1A` from a URL of the console; returns any other text unchanged. */
function shortIdIn(name: string): string {
  return /\/issues\/([\w-]+)/.exec(name)?.[1] ?? name.trim()
}

/** The projects that the caller has access to, or the one with a slug or an id. */
export async function findProjects(call: ToolCall, name?: string): Promise<ProjectName[]> {
  const reach = new Set(reachableProjects(call.viewer))
  const projects = (await listProjectNames(call.services.store.db)).filter(({ id }) => reach.has(id))
  if (name === undefined || name === '') return projects
  const named = findNamedProject(projects, name)
  if (named !== undefined) return [named]
  const slugs = listed(projects.map(({ slug }) => slug))
  throw new ToolError(`There is no project "${name.slice(0, 100)}". There are: ${slugs}.`)
}
