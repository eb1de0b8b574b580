import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { useField } from '#components/ui/form/field-state.ts'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Link } from '#components/ui/link.tsx'
import type { NewProjectView } from '#server/console/project-settings/views.ts'
import { platformChoices } from './platforms.ts'
import '#styles/settings.css'

/** The `/projects/new` screen. */
export function NewProject({ view: { organizations } }: { view: NewProjectView }) {
  const form = useForm('create')
  const [organization, another] = organizations
  if (organization === undefined) {
    return (
      <>
        <ProjectsTrail />
        <PageHeader title="New project" />
        <p className="project-read-only">Only admins and owners can create projects.</p>
      </>
    )
  }
  return (
    <>
      <ProjectsTrail />
      <PageHeader title="New project" description="One project per application." />
      <Form form={form} submitLabel="Create project">
        <Field label="Name" name="name" required maxLength={100} placeholder="Web shop" isFocused />
        <Field
          label="Slug"
          name="slug"
          maxLength={50}
          placeholder="Generated from the name"
          autoCapitalize="none"
          hint="Used in URLs and issue IDs. You can change it later."
        />
        <SelectField label="Platform" name="platform" choices={platformChoices} />
        {another === undefined ? (
          <MemberChoice members={organization.members} />
        ) : (
          <SelectField
            label="Organization"
            name="organization"
            choices={organizations.map(({ id, name }) => ({ value: String(id), label: name }))}
            defaultValue={String(organization.id)}
          />
        )}
      </Form>
    </>
  )
}

function ProjectsTrail() {
  return (
    <Trail>
      <Link to="/projects" search={{}} activeOptions={{ exact: true }} data-shortcut="back">
        Projects
      </Link>
    </Trail>
  )
}

function MemberChoice({ members }: { members: NewProjectView['organizations'][number]['members'] }) {
  const { isTicked } = useField('members')
  if (members.length === 0) return null
  return (
    <fieldset className="project-choice">
      <legend>Additional members</legend>
      {members.map(({ userId, name }) => (
        <label key={userId}>
          <input type="checkbox" name="members" value={userId} defaultChecked={isTicked(false, userId)} />{' '}
          <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  )
}
