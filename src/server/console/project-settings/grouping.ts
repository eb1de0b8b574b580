import * as v from 'valibot'
import { multilineText, text } from '#server/forms/fields.ts'
import type { FormRejection } from '#server/forms/form-views.ts'
import { parseFingerprintRules } from '#server/group/rules/fingerprint-rules.ts'
import type { GroupingSettings } from '#server/group/rules/grouping-rules.ts'
import { parseStackTraceRules } from '#server/group/rules/stack-trace-rules.ts'
import { rejectLines } from './fields/line-problems.ts'
import { tryOnEvent } from './fields/sample-trial.ts'
import { tryGrouping } from './grouping-trial.ts'
import { changeSettings, done, projectForm } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'

const ruleFields = v.object({ fingerprintRules: multilineText, stackTraceRules: multilineText })

const saveRules = projectForm(ruleFields, async (form) => {
  const rejection = rejectRules(form.fields)
  if (rejection !== undefined) return rejection
  const outdated = await changeSettings(form, 'grouping', () => form.fields)
  return outdated ?? done('Grouping rules saved. They apply to new events.')
})

/** Applies the entered rules to an event and shows the result; stores nothing. At most two statements. */
const tryRules = projectForm(
  v.object({ ...ruleFields.entries, event: text }),
  async ({ fields: { event, ...typed }, ...call }) =>
    rejectRules(typed) ??
    tryOnEvent(call, event, async (sample) => {
      const { id: projectId, settings } = call.project
      const attempt = { projectId, sample, typed, grouping: settings.grouping }
      return { kind: 'grouping-trial', trial: await tryGrouping(call.services, attempt) }
    }),
)

function rejectRules({ fingerprintRules, stackTraceRules }: GroupingSettings): FormRejection | undefined {
  return rejectLines({
    stackTraceRules: parseStackTraceRules(stackTraceRules).problems,
    fingerprintRules: parseFingerprintRules(fingerprintRules).problems,
  })
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
