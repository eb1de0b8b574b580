import * as v from 'valibot'
import { multilineText, text } from '#server/forms/fields.ts'
import type { FormProblem, FormRejection } from '#server/forms/form-views.ts'
import { reject } from '#server/forms/form.ts'
import type { GroupingTrialResult } from '#server/forms/result-views.ts'
import { parseFingerprintRules } from '#server/group/rules/fingerprint-rules.ts'
import type { GroupingSettings } from '#server/group/rules/grouping-rules.ts'
import type { RuleProblem } from '#server/group/rules/rule-problem.ts'
import { parseStackTraceRules } from '#server/group/rules/stack-trace-rules.ts'
import { findSampleEvent } from '#server/store/events/samples.ts'
import { noSample, parseSampleField } from './fields/sample-field.ts'
import { tryGrouping } from './grouping-trial.ts'
import { changeSettings, done, projectForm, type ProjectCall } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'

const ruleFields = v.object({ fingerprintRules: multilineText, stackTraceRules: multilineText })

const saveRules = projectForm(ruleFields, async (form) => {
  const rejection = rejectRules(form.fields)
  if (rejection !== undefined) return rejection
  const outdated = await changeSettings(form, 'grouping', () => form.fields)
  return outdated ?? done('Grouping rules saved. They apply to new events.')
})

/** Applies the entered rules to an event and shows the result; stores nothing. At most two statements. */
const tryRules = projectForm(v.object({ ...ruleFields.entries, event: text }), async (form) => {
  const { event, ...typed } = form.fields
  const rejection = rejectRules(typed)
  if (rejection !== undefined) return rejection
  const trial = await readTrial(form, event, typed)
  return typeof trial === 'string'
    ? reject([{ field: 'event', message: trial }])
    : { kind: 'shown', shown: { kind: 'grouping-trial', trial } }
})

async function readTrial(
  { services, project }: ProjectCall,
  event: string,
  typed: GroupingSettings,
): Promise<GroupingTrialResult | string> {
  const field = parseSampleField(event)
  if (!field.ok) return field.problem
  const sample = await findSampleEvent(services.store.db, { projectId: project.id, ...field })
  if (sample === undefined) return noSample
  return tryGrouping(services, {
    projectId: project.id,
    sample,
    typed,
    grouping: project.settings.grouping,
  })
}

function rejectRules({ fingerprintRules, stackTraceRules }: GroupingSettings): FormRejection | undefined {
  const problems = [
    ...toFormProblems('stackTraceRules', parseStackTraceRules(stackTraceRules).problems),
    ...toFormProblems('fingerprintRules', parseFingerprintRules(fingerprintRules).problems),
  ]
  return problems.length === 0 ? undefined : reject(problems)
}

/** Maximum number of displayed problems. */
const mostProblems = 20

function toFormProblems(field: string, problems: RuleProblem[]): FormProblem[] {
  return problems
    .slice(0, mostProblems)
    .map(({ line, column, message }) => ({ field, message: `Line ${line}, column ${column}: ${message}` }))
}

/** The page "Grouping": a project's rules. One statement. */
export const groupingPage = defineProjectPage({
  page: 'grouping',
  title: 'Grouping',
  permission: 'triage',
  view: ({ project }) => ({
    rules: project.settings.grouping,
  }),
  forms: { save: saveRules, try: tryRules },
})
