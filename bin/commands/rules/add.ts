import * as v from 'valibot'
import { crashFreeExamples, parseCrashFree } from '#alerts/crash-free-text.ts'
import { parseFilters } from '#alerts/filter-text.ts'
import { alertRule } from '#alerts/rule-schema.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { formatRule } from '#alerts/sentence.ts'
import { parseThreshold, thresholdExamples } from '#alerts/threshold-text.ts'
import { issueTransitions, projectTransitions } from '#alerts/transition.ts'
import { OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { listReceiverNames } from '#server/store/alerts/names.ts'
import { findOrganizationOfProject, recordAlertRule } from '#server/store/alerts/rules.ts'
import { minuteMs } from '#time/time-steps.ts'
import { parseOneProject, Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { findReceiver, readReceivers, type Receivers } from './receivers.ts'

const usage = `culvert rule add PROJECT --name NAME --when TRANSITION --notify RECEIVER
    [--threshold TEXT] [--crash-free TEXT] [--filter LINE] [--throttle MINUTES]

  --when TRANSITION   of an issue: ${issueTransitions.join(', ')};
                      of the project: ${projectTransitions.join(', ')}
  --threshold TEXT    such as "${thresholdExamples[0]}"; no --when is needed then
  --crash-free TEXT   such as "${crashFreeExamples[0]}"; no --when is needed then
  --notify RECEIVER   members, admins, assignee, owners (of the code), participants, person:EMAIL,
                      or destination:NAME; both also by their id
  --filter LINE       such as "environment is production"
  --throttle MINUTES  notify about an issue once in this time

--when, --notify and --filter can be repeated.`

const options = {
  name: { type: 'string' },
  when: { type: 'string', multiple: true },
  threshold: { type: 'string' },
  'crash-free': { type: 'string' },
  notify: { type: 'string', multiple: true },
  filter: { type: 'string', multiple: true },
  throttle: { type: 'string' },
} as const

/** `culvert rule add`: adds an alert rule to a project, and prints its id and its description. */
export const ruleAdd: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, args, options)
  const problems = new Problems()
  const projectText = parseOneProject(positionals, problems)
  problems.throwIfAny(usage)
  await withProjectStore(context, async ({ store }) => {
    const { id: projectId } = await requireProject(store, projectText)
    const organizationId = await findOrganizationOfProject(store.db, projectId)
    if (organizationId === undefined) return
    const rule = parseRule(values, await readReceivers(store.db, organizationId))
    const id = await recordAlertRule(store, { organizationId, projectId, rule })
    if (id === undefined) throw new OperatorError(`The organization has ${limits.alertRules} rules.`)
    const names = await listReceiverNames(store.db, organizationId)
    context.print(`rule  ${id}\n${formatRule(rule, names)}\n`)
  })
}

type RuleValues = ReturnType<typeof readArguments<typeof options>>['values']

/** Throws an `OperatorError` with all problems. */
function parseRule(values: RuleValues, receivers: Receivers): AlertRule {
  const problems = new Problems()
  const filters = parseFilters((values.filter ?? []).join('\n'), receivers.people)
  if (!filters.ok) problems.add(filters.problem)
  const threshold = values.threshold === undefined ? undefined : parseThreshold(values.threshold)
  if (values.threshold !== undefined && threshold === undefined)
    problems.add(`--threshold: write it as "${thresholdExamples[0]}".`)
  const crashFreeText = values['crash-free']
  const crashFree = crashFreeText === undefined ? undefined : parseCrashFree(crashFreeText)
  if (crashFreeText !== undefined && crashFree === undefined)
    problems.add(`--crash-free: write it as "${crashFreeExamples[0]}".`)
  const transitions = new Set([
    ...(values.when ?? []),
    ...(threshold === undefined ? [] : ['threshold']),
    ...(crashFree === undefined ? [] : ['crash_free']),
  ])
  const parsed = v.safeParse(alertRule, {
    name: values.name ?? '',
    isEnabled: true,
    transitions: [...transitions],
    threshold,
    crashFree,
    filters: filters.ok ? filters.filters : [],
    throttleMs: Number(values.throttle ?? 0) * minuteMs,
    actions: (values.notify ?? []).map((receiver) => toAction(receiver, receivers, problems)),
  })
  for (const issue of parsed.issues ?? []) problems.add(`${v.getDotPath(issue) ?? 'rule'}: ${issue.message}`)
  problems.throwIfAny(usage)
  if (parsed.success) return parsed.output
  throw new OperatorError(usage)
}

function toAction(receiver: string, receivers: Receivers, problems: Problems): unknown {
  const [kind, ...parts] = receiver.split(':')
  const text = parts.join(':')
  if (text === '') return { kind, ...(receiver.includes(':') && { id: text }) }
  const found = findReceiver(receivers, kind === 'person' ? 'person' : 'destination', text)
  if ('problem' in found) problems.add(`--notify: ${found.problem}`)
  return { kind, id: 'id' in found ? found.id : text }
}
