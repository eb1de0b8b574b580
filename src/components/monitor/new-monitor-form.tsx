import type { ReactNode } from 'react'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Link } from '#components/ui/link.tsx'
import type { NewMonitorView } from '#server/console/monitors/views.ts'
import { OwnerField } from './owner-field.tsx'
import '#styles/reports.css'
import '#styles/settings.css'

interface NewMonitorFormProps {
  view: NewMonitorView
  formName: 'create' | 'createUptime'
  title: string
  description: string
  exampleName: string
  children: ReactNode
}

/** The form of a new monitor: the fields of all kinds, and those of its kind. */
export function NewMonitorForm({
  view: { projects },
  formName,
  title,
  description,
  exampleName,
  children,
}: NewMonitorFormProps) {
  const form = useForm(formName)
  const [first] = projects
  if (first === undefined) {
    return (
      <>
        <MonitorsTrail />
        <PageHeader title={title} />
        <p className="project-read-only">Only admins and owners can create monitors.</p>
      </>
    )
  }
  return (
    <>
      <MonitorsTrail />
      <PageHeader title={title} description={description} />
      <Form form={form} submitLabel="Create monitor">
        <Field label="Name" name="name" required maxLength={100} placeholder={exampleName} isFocused />
        <SelectField
          label="Project"
          name="project"
          choices={projects.map(({ slug, name }) => ({ value: slug, label: name }))}
          defaultValue={first.slug}
        />
        <OwnerField />
        {children}
      </Form>
    </>
  )
}

function MonitorsTrail() {
  return (
    <Trail>
      <Link to="/monitors" search={{}} activeOptions={{ exact: true }} data-shortcut="back">
        Monitors
      </Link>
    </Trail>
  )
}
