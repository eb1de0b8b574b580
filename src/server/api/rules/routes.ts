import * as v from 'valibot'
import { formatSentParts, parseSentRule, sentRule, toRuleJson } from '#server/alerts/rule-json.ts'
import {
  answer,
  errorAnswer,
  fieldErrorAnswer,
  notFoundAnswer,
  type ApiAnswer,
} from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { isAllowed } from '#server/auth/roles.ts'
import { limits } from '#server/limits.ts'
import { findUnknownReference } from '#server/store/alerts/names.ts'
import {
  deleteAlertRule,
  findRuleScope,
  listAlertRules,
  recordAlertRule,
  updateAlertRule,
  type StoredRule,
} from '#server/store/alerts/rules.ts'

const part = v.looseObject({ id: v.string() })
const ruleAnswer = v.object({
  id: v.string(),
  name: v.string(),
  actionMatch: v.string(),
  filterMatch: v.string(),
  conditions: v.array(part),
  filters: v.array(part),
  actions: v.array(part),
  frequency: v.number(),
  environment: v.nullable(v.string()),
  projects: v.array(v.string()),
  owner: v.null(),
  status: v.string(),
  dateCreated: v.string(),
})

const base = '/projects/{org}/{project}/rules/'

/** The alert rules of a project, in the format of Sentry's issue alerts. */
export const ruleRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: base,
    scope: 'project:read',
    summary: 'The alert rules of a project.',
    answers: v.array(ruleAnswer),
    handle: async (call) => {
      const found = await findRules(call)
      if (found === undefined) return notFoundAnswer
      const { rules, projectSlug } = found
      return answer(rules.map((each) => toJson(each, projectSlug)))
    },
  },
  {
    method: 'POST',
    path: base,
    scope: 'alerts:write',
    summary: 'Adds a rule. Requires the admin role.',
    body: sentRule,
    answers: ruleAnswer,
    statuses: [201],
    handle: add,
  },
  {
    method: 'GET',
    path: `${base}{rule}/`,
    scope: 'project:read',
    summary: 'One rule.',
    answers: ruleAnswer,
    handle: async (call) => {
      const found = await findRules(call)
      return found?.rule === undefined ? notFoundAnswer : answer(toJson(found.rule, found.projectSlug))
    },
  },
  {
    method: 'PUT',
    path: `${base}{rule}/`,
    scope: 'alerts:write',
    summary: 'Replaces a rule. Requires the admin role.',
    body: sentRule,
    answers: ruleAnswer,
    handle: replace,
  },
  {
    method: 'DELETE',
    path: `${base}{rule}/`,
    scope: 'alerts:write',
    summary: 'Deletes a rule. Requires the admin role.',
    statuses: [202],
    handle: async (call) => {
      const found = await findRules(call)
      if (found === undefined) return notFoundAnswer
      // Also one that this version cannot read.
      const reference = { organizationId: found.organizationId, ruleId: call.params['rule'] ?? '' }
      const scope = await findRuleScope(call.services.store.db, reference)
      if (scope?.projectId !== found.projectId) return notFoundAnswer
      if (!found.canConfigure) return cannotConfigure
      await deleteAlertRule(call.services.store, reference)
      return { status: 202 }
    },
  },
]

async function add(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRules(call)
  if (found === undefined) return notFoundAnswer
  if (!found.canConfigure) return cannotConfigure
  const sent = await readRule(call, found.organizationId)
  if (!sent.ok) return sent.error
  const { organizationId, projectId, projectSlug } = found
  const { store, clock } = call.services
  const stored = { organizationId, projectId, rule: sent.rule, sent: sent.text }
  const id = await recordAlertRule(store, stored)
  if (id === undefined) return errorAnswer(409, `The organization has ${limits.alertRules} rules.`)
  return answer(toJson({ ...stored, id, createdAt: clock() }, projectSlug), 201)
}

async function replace(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRules(call)
  if (found?.rule === undefined) return notFoundAnswer
  if (!found.canConfigure) return cannotConfigure
  const sent = await readRule(call, found.organizationId)
  if (!sent.ok) return sent.error
  const { organizationId, projectId, projectSlug } = found
  const { id, createdAt, rule: before } = found.rule
  // Sentry's format has no quiet hours, so they are not changed.
  const rule = { ...sent.rule, quietHours: before.quietHours }
  const stored = { organizationId, projectId, rule, sent: sent.text }
  await updateAlertRule(call.services.store, { ...stored, ruleId: id })
  return answer(toJson({ ...stored, id, createdAt }, projectSlug))
}

async function readRule(call: ApiCall, organizationId: number) {
  const sent = await readCallBody(call, sentRule)
  if (!sent.ok) return sent
  const parsed = parseSentRule(sent.body)
  if (!parsed.ok) return { ok: false as const, error: fieldErrorAnswer(parsed.field, parsed.problem) }
  const unknown = await findUnknownReference(call.services.store.db, organizationId, parsed.rule)
  if (unknown !== undefined)
    return { ok: false as const, error: fieldErrorAnswer(unknown.field, unknown.problem) }
  return { ...parsed, text: formatSentParts(sent.body) }
}

/** The project in the path with its own rules, and the rule in the path. Two statements. */
async function findRules(call: ApiCall) {
  const scope = await findProjectScope(call)
  const [project] = scope?.projects ?? []
  if (scope === undefined || project === undefined) return undefined
  const { organizationId, role } = scope.membership
  const all = await listAlertRules(call.services.store.db, organizationId)
  const rules = all.filter(({ projectId }) => projectId === project.id)
  return {
    organizationId,
    projectId: project.id,
    projectSlug: project.slug,
    canConfigure: isAllowed(role, 'configure'),
    rules,
    rule: rules.find(({ id }) => id === call.params['rule']),
  }
}

const cannotConfigure = errorAnswer(
  403,
  'You do not have permission to perform this action: only admins and owners can change rules.',
)

function toJson({ id, rule, createdAt, sent }: StoredRule, projectSlug: string) {
  return toRuleJson(rule, { id, projectSlug, createdAt, sent })
}
