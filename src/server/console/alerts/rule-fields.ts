import * as v from 'valibot'
import { crashFreeExamples, formatCrashFreeText, parseCrashFree } from '#alerts/crash-free-text.ts'
import { formatFilterLine, parseFilters, type FilterPerson } from '#alerts/filter-text.ts'
import { alertRule } from '#alerts/rule-schema.ts'
import type { AlertAction, AlertRule } from '#alerts/rule.ts'
import { formatThresholdText, parseThreshold, thresholdExamples } from '#alerts/threshold-text.ts'
import { isOfProject } from '#alerts/transition.ts'
import { isTicked, multilineText, rawText, text, texts } from '#server/forms/fields.ts'
import type { FormProblem } from '#server/forms/form-views.ts'
import type { AlertRuleFields } from './views.ts'

/** The fields of a rule's form, as browsers send them. */
export const ruleFormFields = v.object({
  name: text,
  transitions: texts,
  projectTransitions: texts,
  threshold: text,
  crashFree: text,
  filters: multilineText,
  receivers: texts,
  people: text,
  throttleMs: rawText,
  quietFrom: text,
  quietTo: text,
  quietTimeZone: text,
  quietFatal: isTicked,
  scope: rawText,
})

type SentFields = v.InferOutput<typeof ruleFormFields>

/** The rule of a form, or the errors of its fields. */
export type ReadRule = { ok: true; rule: AlertRule } | { ok: false; problems: FormProblem[] }

/** Parses the fields of a form. */
export function readRuleFields(
  fields: SentFields,
  { people, isEnabled }: { people: readonly FilterPerson[]; isEnabled: boolean },
): ReadRule {
  const filters = parseFilters(fields.filters, people)
  if (!filters.ok) return { ok: false, problems: [{ field: 'filters', message: filters.problem }] }
  const threshold = fields.threshold === '' ? undefined : parseThreshold(fields.threshold)
  if (fields.threshold !== '' && threshold === undefined) {
    const message = `This is not a threshold. Example: "${thresholdExamples[0]}".`
    return { ok: false, problems: [{ field: 'threshold', message }] }
  }
  const crashFree = fields.crashFree === '' ? undefined : parseCrashFree(fields.crashFree)
  if (fields.crashFree !== '' && crashFree === undefined) {
    const message = `This is not a crash-free rate. Example: "${crashFreeExamples[0]}".`
    return { ok: false, problems: [{ field: 'crashFree', message }] }
  }
  const named = readPeople(fields.people, people)
  if (typeof named === 'string') return { ok: false, problems: [{ field: 'people', message: named }] }
  const { quietFrom: from, quietTo: to, quietTimeZone: timeZone, quietFatal: lettingFatal } = fields
  const hasQuietHours = from !== '' || to !== '' || timeZone !== ''
  const parsed = v.safeParse(alertRule, {
    name: fields.name,
    isEnabled,
    transitions: [
      ...fields.transitions,
      ...fields.projectTransitions,
      ...(threshold === undefined ? [] : ['threshold']),
      ...(crashFree === undefined ? [] : ['crash_free']),
    ],
    threshold,
    crashFree,
    filters: filters.filters,
    throttleMs: Number(fields.throttleMs),
    quietHours: hasQuietHours ? { from, to, timeZone, lettingFatal } : undefined,
    actions: [...fields.receivers.map(toAction), ...named],
  })
  if (parsed.success) return { ok: true, rule: parsed.output }
  return { ok: false, problems: parsed.issues.map(toProblem) }
}

const fieldNames: Record<string, string> = {
  actions: 'receivers',
  from: 'quietFrom',
  to: 'quietTo',
  timeZone: 'quietTimeZone',
}

function toProblem({ path, message }: v.BaseIssue<unknown>): FormProblem {
  const [first, second] = (path ?? []).map(({ key }) => String(key))
  const name = first === 'quietHours' ? (second ?? 'from') : first
  return name === undefined ? { message } : { field: fieldNames[name] ?? name, message }
}

function toAction(receiver: string): unknown {
  const [kind, id] = receiver.split(':')
  return id === undefined ? { kind } : { kind, id }
}

function readPeople(entered: string, people: readonly FilterPerson[]): AlertAction[] | string {
  const addresses = entered.split(/[\s,;]+/).filter((address) => address !== '')
  const actions: AlertAction[] = []
  for (const address of addresses) {
    const person = people.find(({ email }) => email === address.toLowerCase())
    if (person === undefined)
      return `${address} is not the email address of a user with access to the project.`
    actions.push({ kind: 'person', id: person.userId })
  }
  return actions
}

/** Converts a rule to the fields of its form. */
export function toRuleFields(
  rule: AlertRule,
  { people, isForAll }: { people: readonly FilterPerson[]; isForAll: boolean },
): AlertRuleFields {
  const { name, transitions, threshold, crashFree, filters, throttleMs, quietHours, actions } = rule
  const emails = new Map(people.map(({ userId, email }) => [userId, email]))
  return {
    name,
    transitions: transitions.filter((each) => each !== 'threshold' && !isOfProject(each)),
    projectTransitions: transitions.filter((each) => each !== 'crash_free' && isOfProject(each)),
    threshold: threshold === undefined ? '' : formatThresholdText(threshold),
    crashFree: crashFree === undefined ? '' : formatCrashFreeText(crashFree),
    filters: filters.map((filter) => formatFilterLine(filter, people)).join('\n'),
    receivers: actions.flatMap((action) => {
      if (action.kind === 'person') return []
      return action.kind === 'destination' ? `destination:${action.id}` : action.kind
    }),
    people: actions
      .flatMap((action) => (action.kind === 'person' ? (emails.get(action.id) ?? []) : []))
      .join(', '),
    throttleMs,
    quiet: quietHours ?? { from: '', to: '', timeZone: '', lettingFatal: true },
    isForAll,
  }
}
