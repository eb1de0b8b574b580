import { Field } from '#components/ui/form/field.tsx'
import type { NewMonitorView } from '#server/console/monitors/views.ts'
import { NewMonitorForm } from './new-monitor-form.tsx'
import { UptimeFields } from './uptime-fields.tsx'

/** The `/monitors/new-uptime` screen. */
export function NewUptime({ view }: { view: NewMonitorView }) {
  return (
    <NewMonitorForm
      view={view}
      formName="createUptime"
      title="New uptime monitor"
      description="Culvert checks a URL or port from its own network, and creates an issue when it is down."
      exampleName="Shop"
    >
      <Field
        label="Environment"
        name="environment"
        maxLength={64}
        defaultValue="production"
        hint="Environment of its issue. Cannot be changed later."
      />
      <UptimeFields />
    </NewMonitorForm>
  )
}
