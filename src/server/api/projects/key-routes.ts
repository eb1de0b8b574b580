import * as v from 'valibot'
import { answer, answerPage, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { submitConsoleForm } from '#server/api/console/forms-routes.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import { listKeyRows, type KeyRow } from '#server/store/projects/key-changes.ts'
import type { ProjectOverview } from '#server/store/projects/projects.ts'
import { projectKeyAnswer } from './answer.ts'
import { findProject } from './find-project.ts'

const base = '/projects/{org}/{project}/keys/'

const newKey = v.object({ name: v.string() })
const rateLimit = v.object({ window: v.number(), count: v.number() })
const keyChange = v.object({
  name: v.optional(v.string()),
  isActive: v.optional(v.boolean()),
  /** The limit of errors; null removes it. */
  rateLimit: v.optional(v.nullable(rateLimit)),
})

/** The keys of a project. They cannot be deleted, only disabled, so that rejections can be explained. */
export const keyRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: base,
    scope: 'project:read',
    summary: 'The keys of a project, with the DSN of each.',
    answers: v.array(projectKeyAnswer),
    isPaged: true,
    handle: async (call) => {
      const found = await findKeys(call)
      if (found === undefined) return notFoundAnswer
      return answerPage(call.url, { rows: found.keys.map((key) => toKeyJson(key, call)) })
    },
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
]

async function addKey(call: ApiCall): Promise<ApiAnswer> {
  const before = await findKeys(call)
  if (before === undefined) return notFoundAnswer
  const sent = await readCallBody(call, newKey)
  if (!sent.ok) return sent.error
  const fields = { action: 'add', label: sent.body.name }
  const added = await submitConsoleForm(call, pageOf(before.project), fields)
  if (added.status !== 200) return renamed(added)
  const known = new Set(before.keys.map(({ publicKey }) => publicKey))
  const key = (await findKeys(call))?.keys.find(({ publicKey }) => !known.has(publicKey))
  return key === undefined ? notFoundAnswer : answer(toKeyJson(key, call), 201)
}

async function changeKey(call: ApiCall): Promise<ApiAnswer> {
  const found = await findKeys(call)
  const key = found?.keys.find(isNamedIn(call))
  if (found === undefined || key === undefined) return notFoundAnswer
  const sent = await readCallBody(call, keyChange)
  if (!sent.ok) return sent.error
  const { name = key.label, isActive, rateLimit: limit } = sent.body
  const page = pageOf(found.project)
  if (name !== key.label || limit !== undefined) {
    const fields = { action: 'save', key: key.publicKey, label: name, ...toLimitFields(key, limit) }
    const saved = await submitConsoleForm(call, page, fields)
    if (saved.status !== 200) return renamed(saved)
  }
  if (isActive !== undefined) {
    const fields = { action: 'switch', key: key.publicKey, active: String(isActive) }
    const switched = await submitConsoleForm(call, page, fields)
    if (switched.status !== 200) return switched
  }
  const changed = (await findKeys(call))?.keys.find(isNamedIn(call))
  return changed === undefined ? notFoundAnswer : answer(toKeyJson(changed, call))
}

const pageOf = ({ slug }: ProjectOverview) => `/projects/${slug}/keys`

const isNamedIn =
  ({ params }: ApiCall) =>
  ({ publicKey }: KeyRow) =>
    publicKey === params['publicKey']

/** The limits of a key as the fields of its form, with another one for errors. */
function toLimitFields({ settings }: KeyRow, limit: v.InferOutput<typeof keyChange>['rateLimit']) {
  const rows = Object.entries(settings.rateLimits)
    .filter(([category]) => limit === undefined || category !== 'error')
    .map(([category, { quantity, windowSeconds }]) => ({ category, quantity, windowSeconds }))
  if (limit != null) rows.push({ category: 'error', quantity: limit.count, windowSeconds: limit.window })
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
