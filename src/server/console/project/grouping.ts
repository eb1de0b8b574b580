import type { FormOutcome } from '#server/auth/page-form.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { ProjectGroupingView, RuleProblemView } from '#server/console/project-views.ts'
import { parseFingerprintRules } from '#server/group/rules/fingerprint-rules.ts'
import type { GroupingSettings } from '#server/group/rules/grouping-rules.ts'
import type { RuleProblem } from '#server/group/rules/rule-problem.ts'
import { parseStackTraceRules } from '#server/group/rules/stack-trace-rules.ts'
import type { Services } from '#server/services.ts'
import { findSampleEvent } from '#server/store/sample-events.ts'
import { changeSettings } from './form-mark.ts'
import { tryGrouping } from './grouping-trial.ts'
import { getProjectPage } from './page.ts'
import { goToProject, refuseForm, type ProjectForm } from './post.ts'
import { noSample, parseSampleField } from './sample-field.ts'

/** The page "Grouping": a project's rules, and what they would do to an event. At most three statements. */
export async function getGroupingView(
  services: Services,
  viewer: Viewer,
  slug: string,
): Promise<ProjectGroupingView> {
  const { project, view } = await getProjectPage(services, viewer, slug)
  const { grouping } = project.settings
  const shown = { ...view, rules: grouping }
  const values = view.form?.values
  if (values === undefined || !view.mayConfigure) return shown
  const typed = parseRules(values)
  const ruleProblems = listProblems(typed)
  if (values['action'] !== 'try' || ruleProblems.length > 0) return { ...shown, ruleProblems }
  const field = parseSampleField(values['event'] ?? '')
  const sample = field.ok
    ? await findSampleEvent(services.store.db, { projectId: project.id, ...field })
    : undefined
  if (sample === undefined)
    return { ...shown, trial: { ok: false, problem: field.ok ? noSample : field.problem } }
  const result = await tryGrouping(services, { projectId: project.id, sample, typed, grouping })
  return { ...shown, trial: { ok: true, ...result } }
}

/** Saves the rules, unless a line cannot be read. */
export async function saveGrouping(form: ProjectForm): Promise<FormOutcome> {
  const { project, fields } = form
  const grouping = parseRules(fields)
  const refusal = refuseRules(fields, grouping)
  if (refusal !== undefined) return refusal
  return (await changeSettings(form, 'grouping', () => grouping)) ?? goToProject(project, 'grouping')
}

/** Shows the page once more, with what the typed rules would do. */
export function tryRules({ fields }: ProjectForm): Promise<FormOutcome> {
  const refusal = refuseRules(fields, parseRules(fields))
  return Promise.resolve(refusal ?? { kind: 'again', status: 200, values: fields, problems: [] })
}

function parseRules(fields: Record<string, string>): GroupingSettings {
  // Browsers end lines of a text area with CR LF; what is kept has none, so that a column is the same everywhere.
  const textOf = (name: string) => (fields[name] ?? '').replaceAll('\r\n', '\n').trimEnd()
  return { fingerprintRules: textOf('fingerprintRules'), stackTraceRules: textOf('stackTraceRules') }
}

function listProblems({ fingerprintRules, stackTraceRules }: GroupingSettings): RuleProblemView[] {
  return [
    ...toViews('fingerprintRules', parseFingerprintRules(fingerprintRules).problems),
    ...toViews('stackTraceRules', parseStackTraceRules(stackTraceRules).problems),
  ]
}

function toViews(field: keyof GroupingSettings, problems: RuleProblem[]): RuleProblemView[] {
  return problems.map(({ line, column, message }) => ({ field, line, column, message }))
}

function refuseRules(fields: Record<string, string>, rules: GroupingSettings): FormOutcome | undefined {
  const problems = listProblems(rules)
  if (problems.length === 0) return undefined
  return refuseForm(
    fields,
    problems.map(({ field, line, column, message }) => ({
      field,
      message: `Line ${line}, column ${column}: ${message}`,
    })),
  )
}
