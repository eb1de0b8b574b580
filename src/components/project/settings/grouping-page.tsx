import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { TextAreaField } from '#components/ui/form/text-area-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectGroupingView } from '#server/console/project-settings/views.ts'
import { GroupingTrialPanel } from './grouping-trial.tsx'
import { ProjectSettingsLayout } from './project-settings.tsx'
import { TryOut } from './try-out.tsx'

/** The `/projects/$slug/grouping` screen: a project's own rules, and a test of them. */
export function GroupingPage({ view }: { view: ProjectGroupingView }) {
  const form = useForm('save', { also: ['try'], mark: view.marks.grouping })
  return (
    <ProjectSettingsLayout view={view}>
      <Panel id="rules" title="Rules" note="Sentry syntax. Applies to new events.">
        <Form form={form} isDisabled={!view.canConfigure} submitLabel="Save rules">
          <TextAreaField
            label="Stack trace rules"
            name="stackTraceRules"
            rows={8}
            wrap="off"
            placeholder={
              'path:**/vendor/** -app\nfunction:assert* ^-group -group\nfamily:native max-frames=8'
            }
            defaultValue={view.rules.stackTraceRules}
            hint="Marks frames as in-app (+app, -app) and selects frames for grouping (+group, -group, max-frames=, min-frames=). Later rules win."
          />
          <TextAreaField
            label="Fingerprint rules"
            name="fingerprintRules"
            rows={8}
            wrap="off"
            placeholder={
              'type:PaymentDeclined -> payment\nlogger:jobs.* -> jobs, {{ logger }}\nmessage:"*timed out*" -> timeout'
            }
            defaultValue={view.rules.fingerprintRules}
            hint="Groups events by fingerprint. The first match wins, and overrides the SDK’s fingerprint. {{ default }} is the default grouping."
          />
          {view.canConfigure ? <TryOut /> : null}
        </Form>
      </Panel>
      <div role="status">
        {form.shown?.kind === 'grouping-trial' ? <GroupingTrialPanel trial={form.shown.trial} /> : null}
      </div>
    </ProjectSettingsLayout>
  )
}
