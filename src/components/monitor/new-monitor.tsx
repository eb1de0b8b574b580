import { Field } from '#components/ui/form/field.tsx'
import type { NewMonitorView } from '#server/console/monitors/views.ts'
import { NewMonitorForm } from './new-monitor-form.tsx'
import { SettingFields } from './setting-fields.tsx'

/** The `/monitors/new` screen. */
export function NewMonitor({ view }: { view: NewMonitorView }) {
  return (
    <NewMonitorForm
      view={view}
      formName="create"
      title="New cron monitor"
      description="An SDK can also create a monitor with its first check-in."
      exampleName="Nightly backup"
    >
      <Field
        label="Slug"
        name="slug"
        maxLength={50}
        placeholder="Generated from the name"
        autoCapitalize="none"
        hint="Identifies the monitor in check-ins. Cannot be changed later."
      />
      <SettingFields />
    </NewMonitorForm>
  )
}
