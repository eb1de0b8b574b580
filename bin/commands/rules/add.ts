import * as v from 'valibot'
import { parseFilters } from '#alerts/filter-text.ts'
import { alertRule } from '#alerts/rule-schema.ts'
import { formatRule } from '#alerts/sentence.ts'
import { parseThreshold, thresholdExamples } from '#alerts/threshold-text.ts'
import { alertTransitions } from '#alerts/transition.ts'
import { OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { listDestinationNames } from '#server/store/alerts/destination-names.ts'
import { findOrganizationOfProject, recordAlertRule } from '#server/store/alerts/rules.ts'
import { minuteMs } from '#time/time-steps.ts'
import { parseOneProject, Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'

const usage = `culvert rule add PROJECT --name NAME --when TRANSITION --tell RECEIVER
    [--threshold TEXT] [--filter LINE] [--throttle MINUTES]

  --when TRANSITION   ${alertTransitions.join(', ')}
  --threshold TEXT    such as "${thresholdExamples[0]}"; no --when is needed then
  --tell RECEIVER     members, assignee, participants, or destination:ID
  --filter LINE       such as "environment is production"
  --throttle MINUTES  tell about an issue once in this time

--when, --tell and --filter can be repeated.`

const options = {
  name: { type: 'string' },
  when: { type: 'string', multiple: true },
  threshold: { type: 'string' },
  tell: { type: 'string', multiple: true },
  filter: { type: 'string', multiple: true },
  throttle: { type: 'string' },
} as const

/** `culvert rule add`: adds a rule to a project's alerts, and prints its id and its sentence. */
export const ruleAdd: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, { args, allowPositionals: true, options })
  const problems = new Problems()
  const projectText = parseOneProject(positionals, problems)
  const filters = parseFilters((values.filter ?? []).join('\n'))
  if (!filters.ok) problems.add(filters.problem)
  const threshold = values.threshold === undefined ? undefined : parseThreshold(values.threshold)
  if (values.threshold !== undefined && threshold === undefined)
    problems.add(`--threshold: write it as "${thresholdExamples[0]}".`)
  const transitions = new Set([...(values.when ?? []), ...(threshold === undefined ? [] : ['threshold'])])
  const parsed = v.safeParse(alertRule, {
    name: values.name ?? '',
    isEnabled: true,
    transitions: [...transitions],
    threshold,
    filters: filters.ok ? filters.filters : [],
    throttleMs: Number(values.throttle ?? 0) * minuteMs,
    actions: (values.tell ?? []).map(toAction),
  })
  for (const issue of parsed.issues ?? []) problems.add(`${v.getDotPath(issue) ?? 'rule'}: ${issue.message}`)
  problems.throwIfAny(usage)
  await withProjectStore(context, async ({ store }) => {
    const { id: projectId } = await requireProject(store, projectText)
    const organizationId = await findOrganizationOfProject(store.db, projectId)
    if (!parsed.success || organizationId === undefined) return
    const id = await recordAlertRule(store, { organizationId, projectId, rule: parsed.output })
    if (id === undefined) throw new OperatorError(`The organization has ${limits.alertRules} rules.`)
    const names = await listDestinationNames(store.db, organizationId)
    context.print(`rule  ${id}\n${formatRule(parsed.output, names)}\n`)
  })
}

function toAction(receiver: string): unknown {
  const [kind, id] = receiver.split(':')
  return id === undefined ? { kind } : { kind, id }
}
