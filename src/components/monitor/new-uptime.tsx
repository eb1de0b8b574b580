import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import type { NewMonitorView } from '#server/console/monitors/views.ts'
import { UptimeFields } from './uptime-fields.tsx'
import '#styles/reports.css'
import '#styles/settings.css'

/** The `/monitors/new-uptime` screen. */
export function NewUptime({ view: { projects } }: { view: NewMonitorView }) {
  const form = useForm('createUptime')
  const [first] = projects
  if (first === undefined) {
    return (
      <>
        <PageHeader title="New uptime monitor" />
        <p className="project-read-only">Only admins and owners can create monitors.</p>
      </>
    )
  }
  return (
    <>
      <PageHeader
        title="New uptime monitor"
        description="Culvert checks an address from its own network, and makes an issue when it is down."
      />
      <Form form={form} submitLabel="Create monitor">
        <Field label="Name" name="name" required maxLength={100} placeholder="Shop" isFocused />
        <SelectField
          label="Project"
          name="project"
          choices={projects.map(({ slug, name }) => ({ value: slug, label: name }))}
          defaultValue={first.slug}
        />
        <Field
          label="Environment"
          name="environment"
          maxLength={64}
          defaultValue="production"
          hint="Of its issue. It cannot be changed later."
        />
        <UptimeFields />
      </Form>
    </>
  )
}
