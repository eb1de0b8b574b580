import * as v from 'valibot'
import {
  answer,
  answerPage,
  fieldErrorAnswer,
  notFoundAnswer,
  type ApiAnswer,
} from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { submitConsoleForm } from '#server/api/console/forms-routes.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { readLimitRows } from '#server/console/project-settings/limit-rows.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import { listKeyRows, type KeyRow } from '#server/store/projects/key-changes.ts'
import type { ProjectOverview } from '#server/store/projects/projects.ts'
import type { RateLimits } from '#server/store/projects/settings.ts'
import { projectKeyAnswer } from './answer.ts'
import { findProject } from './find-project.ts'

const base = '/projects/{org}/{project}/keys/'

const rateLimit = v.optional(v.nullable(v.object({ window: v.number(), count: v.number() })))
const newKey = v.object({ name: v.string(), rateLimit })
const keyChange = v.object({
  name: v.optional(v.string()),
  isActive: v.optional(v.boolean()),
  /** The limit of errors; null, or 0 in both fields, removes it. */
  rateLimit,
})

/** The keys of a project. They cannot be deleted, only disabled, so that rejections can be explained. */
export const keyRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: base,
    scope: 'project:read',
    summary: 'The keys of a project, with the DSN of each.',
    query: { status: '`active` or `inactive`. Default: both.' },
    answers: v.array(projectKeyAnswer),
    isPaged: true,
    handle: listKeys,
  },
  {
    method: 'POST',
    path: base,
    scope: 'org:admin',
    summary: 'Adds a key to a project. Requires the admin role.',
    body: newKey,
    answers: projectKeyAnswer,
    statuses: [201],
    handle: addKey,
  },
  {
    method: 'GET',
    path: `${base}{publicKey}/`,
    scope: 'project:read',
    summary: 'One key.',
    answers: projectKeyAnswer,
    handle: async (call) => {
      const key = (await findKeys(call))?.keys.find(isNamedIn(call))
      return key === undefined ? notFoundAnswer : answer(toKeyJson(key, call))
    },
  },
  {
    method: 'PUT',
    path: `${base}{publicKey}/`,
    scope: 'org:admin',
    summary: 'Enables, disables or renames a key, or limits its errors. Requires the admin role.',
    body: keyChange,
    answers: projectKeyAnswer,
    handle: changeKey,
  },
  {
    method: 'DELETE',
    path: `${base}{publicKey}/`,
    scope: 'org:admin',
    summary:
      'Disables a key. It stays in the list, so that rejections can be explained. Requires the admin role.',
    statuses: [204],
    handle: disableKey,
  },
]

async function listKeys(call: ApiCall): Promise<ApiAnswer> {
  const found = await findKeys(call)
  if (found === undefined) return notFoundAnswer
  const status = call.url.searchParams.get('status')
  const listed = found.keys.filter(({ isActive }) => !status || status === (isActive ? 'active' : 'inactive'))
  return answerPage(call.url, { rows: listed.map((key) => toKeyJson(key, call)) })
}

async function addKey(call: ApiCall): Promise<ApiAnswer> {
  const before = await findKeys(call)
  if (before === undefined) return notFoundAnswer
  const sent = await readCallBody(call, newKey)
  if (!sent.ok) return sent.error
  const { name, rateLimit: limit } = sent.body
  const rows = readLimitRows(toLimitFields({}, limit), 'limits')
  if (!rows.ok) return fieldErrorAnswer('rateLimit', rows.message)
  const fields = { action: 'add', label: name }
  const added = await submitConsoleForm(call, pageOf(before.project), fields)
  if (added.status !== 200) return renamed(added)
  const known = new Set(before.keys.map(({ publicKey }) => publicKey))
  const key = (await findKeys(call))?.keys.find(({ publicKey }) => !known.has(publicKey))
  if (key === undefined) return notFoundAnswer
  if (Object.keys(rows.limits).length === 0) return answer(toKeyJson(key, call), 201)
  const rejected = await saveKey(call, { project: before.project, key }, { name: key.label, limit })
  return rejected ?? readKey(call, { publicKey: key.publicKey, status: 201 })
}

async function changeKey(call: ApiCall): Promise<ApiAnswer> {
  const found = await findKeys(call)
  const key = found?.keys.find(isNamedIn(call))
  if (found === undefined || key === undefined) return notFoundAnswer
  const sent = await readCallBody(call, keyChange)
  if (!sent.ok) return sent.error
  const { project } = found
  const { name = key.label, isActive, rateLimit: limit } = sent.body
  if (name !== key.label || limit !== undefined) {
    const rejected = await saveKey(call, { project, key }, { name, limit })
    if (rejected !== undefined) return rejected
  }
  const rejected = isActive === undefined ? undefined : await switchKey(call, { project, key }, isActive)
  return rejected ?? readKey(call, { publicKey: key.publicKey, status: 200 })
}

async function disableKey(call: ApiCall): Promise<ApiAnswer> {
  const found = await findKeys(call)
  const key = found?.keys.find(isNamedIn(call))
  if (found === undefined || key === undefined) return notFoundAnswer
  return (await switchKey(call, { project: found.project, key }, false)) ?? { status: 204 }
}

interface ChosenKey {
  project: ProjectOverview
  key: KeyRow
}

type SentLimit = v.InferOutput<typeof rateLimit>

/** Changes the name and the limit of a key. Returns the rejection, if any. */
async function saveKey(
  call: ApiCall,
  { project, key }: ChosenKey,
  { name, limit }: { name: string; limit: SentLimit },
): Promise<ApiAnswer | undefined> {
  const fields = {
    action: 'save',
    key: key.publicKey,
    label: name,
    ...toLimitFields(key.settings.rateLimits, limit),
  }
  const saved = await submitConsoleForm(call, pageOf(project), fields)
  return saved.status === 200 ? undefined : renamed(saved)
}

/** Enables or disables a key. Returns the rejection, if any. */
async function switchKey(
  call: ApiCall,
  { project, key }: ChosenKey,
  isActive: boolean,
): Promise<ApiAnswer | undefined> {
  const fields = { action: 'switch', key: key.publicKey, active: String(isActive) }
  const switched = await submitConsoleForm(call, pageOf(project), fields)
  return switched.status === 200 ? undefined : switched
}

/** The key after a change. */
async function readKey(
  call: ApiCall,
  { publicKey, status }: { publicKey: string; status: number },
): Promise<ApiAnswer> {
  const changed = (await findKeys(call))?.keys.find((key) => key.publicKey === publicKey)
  return changed === undefined ? notFoundAnswer : answer(toKeyJson(changed, call), status)
}

const pageOf = ({ slug }: ProjectOverview) => `/projects/${slug}/keys`

const isNamedIn =
  ({ params }: ApiCall) =>
  ({ publicKey }: KeyRow) =>
    publicKey === params['publicKey']

/** Limits as fields of the form of a key, with another one for errors. */
function toLimitFields(rateLimits: RateLimits, limit: SentLimit) {
  const rows = Object.entries(rateLimits)
    .filter(([category]) => limit === undefined || category !== 'error')
    .map(([category, { quantity, windowSeconds }]) => ({ category, quantity, windowSeconds }))
  if (limit && (limit.window !== 0 || limit.count !== 0))
    rows.push({ category: 'error', quantity: limit.count, windowSeconds: limit.window })
  return {
    'limits-category': rows.map(({ category }) => category),
    'limits-quantity': rows.map(({ quantity }) => String(quantity)),
    'limits-seconds': rows.map(({ windowSeconds }) => String(windowSeconds)),
  }
}

/** Sentry calls the label of a key its name. */
function renamed({ status, body }: ApiAnswer): ApiAnswer {
  const problems = v.safeParse(v.object({ label: v.array(v.string()) }), body)
  const own = v.safeParse(v.object({ limits: v.array(v.string()) }), body)
  if (own.success) return { status, body: { rateLimit: own.output.limits } }
  return problems.success ? { status, body: { name: problems.output.label } } : { status, body }
}

/** The project in the path, and its keys. Two statements. */
async function findKeys(call: ApiCall): Promise<{ project: ProjectOverview; keys: KeyRow[] } | undefined> {
  const membership = findMembership(call)
  const project = membership && (await findProject(call, membership))
  if (project === undefined) return undefined
  return { project, keys: await listKeyRows(call.services.store.db, project.id) }
}

function toKeyJson(
  { publicKey, projectId, label, isActive, createdAt, settings }: KeyRow,
  { services: { publicOrigin: origin } }: ApiCall,
): v.InferOutput<typeof projectKeyAnswer> {
  const limit = settings.rateLimits['error'] ?? settings.rateLimits['all']
  const dsn = toProjectDsn(origin, { publicKey, projectId })
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
      public: dsn,
      // Of old clients. Culvert's keys have no secret.
      secret: dsn,
      security: `${origin}/api/${projectId}/security/?sentry_key=${publicKey}`,
      csp: `${origin}/api/${projectId}/csp-report/?sentry_key=${publicKey}`,
      crons: `${origin}/api/${projectId}/cron/___MONITOR_SLUG___/${publicKey}/`,
      otlp_traces: `${origin}/api/${projectId}/integration/otlp/v1/traces`,
    },
  }
}
