import { Panel } from '#components/ui/panel.tsx'
import { TextAreaField } from '#components/ui/text-area-field.tsx'
import type { ProjectGroupingView, RuleProblemView } from '#server/console/project-views.ts'
import type { ProjectDone } from './done-texts.ts'
import { GroupingTrialPanel } from './grouping-trial.tsx'
import { ProjectSettings } from './project-settings.tsx'
import { SettingForm, typedFields } from './setting-form.tsx'
import { TryOut } from './try-out.tsx'

/** The `/projects/$slug/grouping` screen: a project's own rules, and what they would do. */
export function GroupingPage({ view, done }: { view: ProjectGroupingView; done?: ProjectDone }) {
  const typed = typedFields(view.form, ({ action }) => action === 'save' || action === 'try')
  const problems = view.ruleProblems ?? []
  return (
    <ProjectSettings view={view} title="Grouping" done={done}>
      <Panel id="rules" title="Rules" note="Sentry’s syntax; they hold for events that come from now on">
        <SettingForm
          action="save"
          isDisabled={!view.mayConfigure}
          mark={typed.mark(view.marks.grouping)}
          submitLabel="Save the rules"
        >
          <TextAreaField
            label="Stack trace rules"
            name="stackTraceRules"
            rows={8}
            wrap="off"
            placeholder={
              'path:**/vendor/** -app\nfunction:assert* ^-group -group\nfamily:native max-frames=8'
            }
            defaultValue={typed.text('stackTraceRules', view.rules.stackTraceRules)}
            problem={typed.problem('stackTraceRules')}
            hint="Which frames are your own code (+app, -app) and which take part in grouping (+group, -group, max-frames=, min-frames=). From top to bottom; the later one wins."
          />
          <ProblemLines problems={problems} field="stackTraceRules" />
          <TextAreaField
            label="Fingerprint rules"
            name="fingerprintRules"
            rows={8}
            wrap="off"
            placeholder={
              'type:PaymentDeclined -> payment\nlogger:jobs.* -> jobs, {{ logger }}\nmessage:"*timed out*" -> timeout'
            }
            defaultValue={typed.text('fingerprintRules', view.rules.fingerprintRules)}
            problem={typed.problem('fingerprintRules')}
            hint="What joins events or keeps them apart. The first one that fits counts, also before the SDK’s own fingerprint. {{ default }} stands for the usual grouping."
          />
          <ProblemLines problems={problems} field="fingerprintRules" />
          {view.mayConfigure ? <TryOut typed={typed} trial={view.trial} /> : null}
        </SettingForm>
      </Panel>
      {view.trial?.ok === true ? <GroupingTrialPanel trial={view.trial} /> : null}
    </ProjectSettings>
  )
}

/** Every further problem; the first one stands at the field. */
function ProblemLines({
  problems,
  field,
}: {
  problems: readonly RuleProblemView[]
  field: RuleProblemView['field']
}) {
  const further = problems.filter((problem) => problem.field === field).slice(1, 20)
  if (further.length === 0) return null
  return (
    <ul className="rule-problems">
      {further.map(({ line, column, message }) => (
        <li key={line} className="field-problem">
          Line {line}, column {column}: {message}
        </li>
      ))}
    </ul>
  )
}
