import * as v from 'valibot'
import { alertRule } from '#alerts/rule-schema.ts'
import type { AlertAction, AlertFilter, AlertRule, AlertThreshold } from '#alerts/rule.ts'
import { alertTransitions } from '#alerts/transition.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'

/**
 * Rules in the format of Sentry's API.
 * https://docs.sentry.io/api/alerts/create-an-issue-alert-rule-for-a-project/
 */

const condition = v.looseObject({ id: v.string('It has no id.') })

/** The body of a request. Unknown fields are ignored. */
export const sentRule = v.object({
  name: v.string('Enter a name.'),
  actionMatch: v.optional(v.picklist(['all', 'any', 'none']), 'any'),
  /** Terraform sends an empty text for a missing value. */
  filterMatch: v.optional(v.picklist(['all', 'any', 'none', '']), 'all'),
  conditions: v.array(condition),
  filters: v.optional(v.array(condition), []),
  actions: v.array(condition),
  /** Minutes. */
  frequency: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(43_200)), 0),
  environment: v.nullish(v.string()),
  owner: v.nullish(v.string()),
  status: v.optional(v.picklist(['active', 'disabled']), 'active'),
})

type SentRule = v.InferOutput<typeof sentRule>
type Part = v.InferOutput<typeof condition>

/** The parsed rule, or the parts that this server does not support, by field. */
export type ParsedRule = { ok: true; rule: AlertRule } | { ok: false; field: string; problem: string }

const conditionIds: Readonly<Record<Exclude<AlertTransition, 'threshold'>, string>> = {
  new: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition',
  regressed: 'sentry.rules.conditions.regression_event.RegressionEventCondition',
  escalated: 'sentry.rules.conditions.reappeared_event.ReappearedEventCondition',
  unarchived: 'culvert.conditions.unarchived',
  assigned: 'culvert.conditions.assigned',
  comment: 'culvert.conditions.comment',
  mention: 'culvert.conditions.mention',
  normal: 'culvert.conditions.normal',
  recovered: 'culvert.conditions.recovered',
  release: 'culvert.conditions.release',
  first_event: 'culvert.conditions.first_event',
  crash_free: 'culvert.conditions.crash_free',
  crash_free_normal: 'culvert.conditions.crash_free_normal',
  trouble: 'culvert.conditions.trouble',
  trouble_over: 'culvert.conditions.trouble_over',
}

/** Conditions of a threshold, by the counted unit. */
const frequencyIds = {
  events: 'sentry.rules.conditions.event_frequency.EventFrequencyCondition',
  users: 'sentry.rules.conditions.event_frequency.EventUniqueUserFrequencyCondition',
} as const

/** Sentry's names of windows. */
const intervals: Readonly<Record<string, number>> = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '1h': hourMs,
  '1d': dayMs,
}

const filterIds = {
  level: 'sentry.rules.filters.level.LevelFilter',
  tag: 'sentry.rules.filters.tagged_event.TaggedEventFilter',
  attribute: 'sentry.rules.filters.event_attribute.EventAttributeFilter',
  age: 'sentry.rules.filters.age_comparison.AgeComparisonFilter',
  assigned: 'sentry.rules.filters.assigned_to.AssignedToFilter',
} as const

const actionIds = {
  email: 'sentry.mail.actions.NotifyEmailAction',
  service: 'sentry.rules.actions.notify_event_service.NotifyEventServiceAction',
} as const

/** Sentry's numbers of levels. */
const levelNumbers = { fatal: '50', error: '40', warning: '30', info: '20', debug: '10' } as const

/** Parses a rule. */
export function parseSentRule(sent: SentRule): ParsedRule {
  if (sent.owner) return reject('owner', 'Rules have no owner: leave it out.')
  if (sent.actionMatch !== 'any' && sent.conditions.length > 1)
    return reject('actionMatch', 'Use "any": no transition meets two conditions.')
  if (sent.filterMatch === 'any' && sent.filters.length > 1)
    return reject('filterMatch', 'Use "all", and a rule for each of the filters.')
  if (sent.actionMatch === 'none' || sent.filterMatch === 'none')
    return reject(
      sent.actionMatch === 'none' ? 'actionMatch' : 'filterMatch',
      '"none" is not supported: use "all".',
    )
  const conditions = parseConditions(sent.conditions)
  if (typeof conditions === 'string') return reject('conditions', conditions)
  const filters: AlertFilter[] = []
  if (sent.environment) filters.push({ kind: 'environment', is: true, value: sent.environment })
  for (const part of sent.filters) {
    const filter = parseFilterPart(part)
    if (filter === undefined) return reject('filters', `The filter ${JSON.stringify(part)} is not supported.`)
    filters.push(filter)
  }
  const actions: AlertAction[] = []
  for (const part of sent.actions) {
    const action = parseActionPart(part)
    if (action === undefined) return reject('actions', describeAction(part))
    actions.push(action)
  }
  const parsed = v.safeParse(alertRule, {
    name: sent.name,
    isEnabled: sent.status === 'active',
    ...conditions,
    filters,
    actions,
    throttleMs: sent.frequency * minuteMs,
  })
  if (parsed.success) return { ok: true, rule: parsed.output }
  const [issue] = parsed.issues
  const [field = 'detail'] = v.getDotPath(issue)?.split('.') ?? []
  return reject(field === 'transitions' ? 'conditions' : field, issue.message)
}

function describeAction(part: Part): string {
  if (part.id === actionIds.email && part['targetType'] === 'Team')
    return 'There are no teams: use the target type IssueOwners or Member.'
  if (part.id === actionIds.email || part.id === actionIds.service)
    return `The action ${JSON.stringify(part)} is not supported.`
  return `The action ${part.id} is not supported. Add a destination, and use ${actionIds.service} with its id as the service.`
}

/** The trigger of a rule, or the unsupported part. */
function parseConditions(
  sent: readonly Part[],
): { transitions: AlertTransition[]; threshold?: unknown; crashFree?: unknown } | string {
  const transitions = new Set<AlertTransition>()
  let threshold: unknown
  let crashFree: unknown
  for (const part of sent) {
    const { id } = part
    const isFrequency = id === frequencyIds.events || id === frequencyIds.users
    const transition = isFrequency ? 'threshold' : findTransition(id)
    if (transition === undefined) return `The condition ${id} is not supported.`
    transitions.add(transition)
    // In Sentry, crash-free rates are metric alerts without such a condition: this one is Culvert's own.
    if (transition === 'crash_free') crashFree = toLimit(part)
    if (!isFrequency) continue
    if (threshold !== undefined) return 'Use a rule for each of the frequencies.'
    threshold = parseFrequency(part)
    if (threshold === undefined) return `The condition ${JSON.stringify(part)} is not supported.`
  }
  return { transitions: [...transitions], threshold, crashFree }
}

function findTransition(id: string): AlertTransition | undefined {
  return alertTransitions.find((each) => each !== 'threshold' && conditionIds[each] === id)
}

function toLimit({ of, below, isOfRelease, windowMs, atLeast }: Part) {
  return { of, below, isOfRelease, windowMs, atLeast }
}

/**
 * Sentry fires above a value, and percentages are the increase over the previous window. Comparisons with
 * other windows are not supported.
 */
function parseFrequency(part: Part): unknown {
  const value = Number(part['value'])
  const windowMs = intervals[String(part['interval'])]
  const isPercent = part['comparisonType'] === 'percent'
  const comparison = part['comparisonInterval'] ?? part['interval']
  if (!Number.isSafeInteger(value) || windowMs === undefined) return undefined
  if (isPercent && comparison !== part['interval']) return undefined
  return {
    of: part.id === frequencyIds.users ? 'users' : 'events',
    unit: isPercent ? 'percent' : 'count',
    atLeast: value + (isPercent ? 100 : 1),
    windowMs,
  }
}

function toFrequencyPart({ of, unit, atLeast, windowMs }: AlertThreshold): Part {
  const [interval = ''] = Object.entries(intervals).find(([, ms]) => ms === windowMs) ?? []
  const common = { id: frequencyIds[of], interval }
  return unit === 'percent'
    ? { ...common, comparisonType: 'percent', value: atLeast - 100, comparisonInterval: interval }
    : { ...common, comparisonType: 'count', value: atLeast - 1 }
}

function reject(field: string, problem: string): ParsedRule {
  return { ok: false, field, problem }
}

const units: Readonly<Record<string, number>> = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
}

function parseFilterPart(part: Part): AlertFilter | undefined {
  const text = (name: string) => (typeof part[name] === 'string' ? part[name] : '')
  switch (part.id) {
    case filterIds.level: {
      const [level] =
        Object.entries(levelNumbers).find(([, number]) => number === String(part['level'])) ?? []
      const isLevel = level === 'fatal' || level === 'error' || level === 'warning' || level === 'info'
      if (level !== 'debug' && !isLevel) return undefined
      // No level is more severe than fatal.
      const isAtLeast = text('match') === 'gte' || (text('match') === 'eq' && level === 'fatal')
      return isAtLeast ? { kind: 'level', atLeast: level } : undefined
    }
    case filterIds.tag: {
      const is = isOf(text('match'), 'eq', 'ne')
      return is === undefined ? undefined : toTagFilter(is, text('key'), text('value'))
    }
    case filterIds.attribute: {
      const is = isOf(text('match'), 'co', 'nc')
      const kinds: Readonly<Record<string, 'text' | 'path'>> = {
        message: 'text',
        'stacktrace.filename': 'path',
      }
      const kind = kinds[text('attribute')]
      return is === undefined || kind === undefined ? undefined : { kind, is, value: text('value') }
    }
    case filterIds.age: {
      const than = text('comparison_type')
      const ms = Number(part['value']) * (units[text('time')] ?? Number.NaN)
      if ((than !== 'older' && than !== 'newer') || !Number.isSafeInteger(ms)) return undefined
      return { kind: 'age', than, ms }
    }
    case filterIds.assigned:
      if (text('targetType') === 'Unassigned') return { kind: 'assigned', is: false }
      return text('targetType') === 'Member' ? toAssigneeFilter(part, true) : undefined
    case 'culvert.filters.not_assigned_to':
      return toAssigneeFilter(part, false)
    case 'culvert.filters.assigned':
      return { kind: 'assigned', is: true }
    default:
      return undefined
  }
}

/** Sentry's ids of members are numbers, and its clients may send them as numbers. */
function toAssigneeFilter(part: Part, is: boolean): AlertFilter | undefined {
  const id = part['targetIdentifier']
  const isId = typeof id === 'number' || (typeof id === 'string' && id !== '')
  return isId ? { kind: 'assignee', is, id: String(id) } : undefined
}

function isOf(match: string, yes: string, no: string): boolean | undefined {
  return match === yes ? true : match === no ? false : undefined
}

/** In Sentry, environment and release are tags of an event. */
function toTagFilter(is: boolean, key: string, value: string): AlertFilter {
  return key === 'environment' || key === 'release'
    ? { kind: key, is, value }
    : { kind: 'tag', is, key, value }
}

function parseActionPart({ id, ...part }: Part): AlertAction | undefined {
  if (id === actionIds.service && typeof part['service'] === 'string')
    return { kind: 'destination', id: part['service'] }
  if (id !== actionIds.email) return undefined
  switch (part['targetType']) {
    case 'IssueOwners':
      if (part['targetIdentifier'] === 'owners') return { kind: 'owners' }
      return part['fallthroughType'] === 'NoOne' ? { kind: 'assignee' } : { kind: 'members' }
    case 'Participants':
      return { kind: 'participants' }
    case 'Mentioned':
      return { kind: 'mentioned' }
    case 'Admins':
      return { kind: 'admins' }
    case 'Member':
      return { kind: 'person', id: String(part['targetIdentifier']) }
    default:
      return undefined
  }
}

const sentParts = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    actionMatch: v.string(),
    filterMatch: v.string(),
    conditions: v.array(condition),
    filters: v.array(condition),
    actions: v.array(condition),
    environment: v.nullable(v.string()),
  }),
)

/**
 * The fields as a client sent them, for `toRuleJson`: several texts mean the same rule, and Terraform reports
 * an error if it reads another text than it has written.
 */
export function formatSentParts(sent: SentRule): string {
  const { actionMatch, filterMatch, conditions, filters, actions, environment = null } = sent
  return JSON.stringify({ actionMatch, filterMatch, conditions, filters, actions, environment })
}

/** A rule in the format that Sentry's clients read. `sent`: from `formatSentParts`. */
export function toRuleJson(
  rule: AlertRule,
  {
    id,
    projectSlug,
    createdAt,
    sent,
  }: { id: string; projectSlug: string; createdAt: number; sent?: string | undefined },
) {
  const parts = v.safeParse(sentParts, sent)
  const environment = rule.filters.find((filter) => filter.kind === 'environment' && filter.is)
  const others = rule.filters.filter((filter) => filter !== environment)
  return {
    id,
    name: rule.name,
    actionMatch: 'any',
    filterMatch: 'all',
    conditions: rule.transitions.flatMap((each) => toConditionPart(each, rule)),
    filters: others.map(toFilterPart),
    actions: rule.actions.map(toActionPart),
    frequency: Math.round(rule.throttleMs / minuteMs),
    environment: environment?.kind === 'environment' ? environment.value : null,
    projects: [projectSlug],
    owner: null,
    status: rule.isEnabled ? 'active' : 'disabled',
    dateCreated: new Date(createdAt).toISOString(),
    ...(parts.success && parts.output),
  }
}

function toConditionPart(transition: AlertTransition, { threshold, crashFree }: AlertRule): Part[] {
  if (transition === 'threshold') return threshold === undefined ? [] : [toFrequencyPart(threshold)]
  const id = conditionIds[transition]
  return [transition === 'crash_free' ? { id, ...crashFree } : { id }]
}

function toFilterPart(filter: AlertFilter) {
  switch (filter.kind) {
    case 'environment':
    case 'release':
      return { id: filterIds.tag, key: filter.kind, match: filter.is ? 'eq' : 'ne', value: filter.value }
    case 'tag':
      return { id: filterIds.tag, key: filter.key, match: filter.is ? 'eq' : 'ne', value: filter.value }
    case 'level':
      return { id: filterIds.level, level: levelNumbers[filter.atLeast], match: 'gte' }
    case 'assigned':
      return filter.is
        ? { id: 'culvert.filters.assigned' }
        : { id: filterIds.assigned, targetType: 'Unassigned', targetIdentifier: '' }
    case 'assignee':
      return filter.is
        ? { id: filterIds.assigned, targetType: 'Member', targetIdentifier: filter.id }
        : { id: 'culvert.filters.not_assigned_to', targetIdentifier: filter.id }
    case 'path':
    case 'text': {
      const attribute = filter.kind === 'text' ? 'message' : 'stacktrace.filename'
      return { id: filterIds.attribute, attribute, match: filter.is ? 'co' : 'nc', value: filter.value }
    }
    case 'age':
  }
  const [time = 'minute', unitMs = minuteMs] =
    Object.entries(units).findLast(([, ms]) => filter.ms % ms === 0) ?? []
  return { id: filterIds.age, comparison_type: filter.than, value: filter.ms / unitMs, time }
}

function toActionPart(action: AlertAction) {
  switch (action.kind) {
    case 'destination':
      return { id: actionIds.service, service: action.id }
    case 'person':
      return { id: actionIds.email, targetType: 'Member', targetIdentifier: action.id }
    case 'members':
      return { id: actionIds.email, targetType: 'IssueOwners', fallthroughType: 'AllMembers' }
    case 'assignee':
      return { id: actionIds.email, targetType: 'IssueOwners', fallthroughType: 'NoOne' }
    case 'owners':
      return {
        id: actionIds.email,
        targetType: 'IssueOwners',
        targetIdentifier: 'owners',
        fallthroughType: 'NoOne',
      }
    case 'participants':
      return { id: actionIds.email, targetType: 'Participants' }
    case 'mentioned':
      return { id: actionIds.email, targetType: 'Mentioned' }
    case 'admins':
  }
  return { id: actionIds.email, targetType: 'Admins' }
}
