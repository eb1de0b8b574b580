import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import type { NewMonitorView } from '#server/console/monitors/views.ts'
import { SettingFields } from './setting-fields.tsx'
import '#styles/settings.css'

/** The `/monitors/new` screen. */
export function NewMonitor({ view: { projects } }: { view: NewMonitorView }) {
  const form = useForm('create')
  const [first] = projects
  if (first === undefined) {
    return (
      <>
        <PageHeader title="New cron monitor" />
        <p className="project-read-only">Only admins and owners can create monitors.</p>
      </>
    )
  }
  return (
    <>
      <PageHeader
        title="New cron monitor"
        description="An SDK also creates one, by the settings of its first check-in."
      />
      <Form form={form} submitLabel="Create monitor">
        <Field label="Name" name="name" required maxLength={100} placeholder="Nightly backup" isFocused />
        <Field
          label="Slug"
          name="slug"
          maxLength={50}
          placeholder="Generated from the name"
          autoCapitalize="none"
          hint="Names the monitor in check-ins. It cannot be changed later."
        />
        <SelectField
          label="Project"
          name="project"
          choices={projects.map(({ slug, name }) => ({ value: slug, label: name }))}
          defaultValue={first.slug}
        />
        <SettingFields />
      </Form>
    </>
  )
}
