import { PageHeader } from '#components/layout/page-header.tsx'
import { Field } from '#components/ui/field.tsx'
import { SelectField } from '#components/ui/select-field.tsx'
import type { NewProjectView } from '#server/console/project-views.ts'
import { platformChoices } from './platforms.ts'
import { SettingForm, typedFields } from './settings/setting-form.tsx'
import '#styles/settings.css'

/** The `/projects/new` screen. */
export function NewProject({ view: { organizations, form } }: { view: NewProjectView }) {
  const typed = typedFields(form, () => true)
  const [organization, another] = organizations
  const general = form?.problems.find(({ field }) => field === undefined)
  if (organization === undefined) {
    return (
      <>
        <PageHeader title="New project" />
        <p className="project-read-only">Admins and owners of an organization make its projects.</p>
      </>
    )
  }
  return (
    <>
      <PageHeader title="New project" description="One for each application that reports here." />
      {general === undefined ? null : (
        <p className="form-problem" role="alert">
          {general.message}
        </p>
      )}
      <SettingForm action="create" isDisabled={false} submitLabel="Create the project">
        <Field
          label="Name"
          name="name"
          required
          maxLength={100}
          placeholder="Web shop"
          defaultValue={typed.text('name', '')}
          problem={typed.problem('name')}
        />
        <Field
          label="Slug"
          name="slug"
          maxLength={50}
          placeholder="made from the name"
          autoCapitalize="none"
          defaultValue={typed.text('slug', '')}
          hint="In addresses and in the short ids of issues. It can be changed later."
          problem={typed.problem('slug')}
        />
        <SelectField
          label="Platform"
          name="platform"
          choices={platformChoices}
          defaultValue={typed.text('platform', '')}
          problem={typed.problem('platform')}
        />
        {another === undefined ? (
          <MemberChoice members={organization.members} isTyped={typed.isOn} />
        ) : (
          <SelectField
            label="Organization"
            name="organization"
            choices={organizations.map(({ id, name }) => ({ value: String(id), label: name }))}
            defaultValue={typed.text('organization', String(organization.id))}
          />
        )}
      </SettingForm>
    </>
  )
}

function MemberChoice({
  members,
  isTyped,
}: {
  members: NewProjectView['organizations'][number]['members']
  isTyped: (field: string, current: boolean) => boolean
}) {
  if (members.length === 0) return null
  return (
    <fieldset className="project-choice">
      <legend>Who reaches it, besides those who reach every project</legend>
      {members.map(({ userId, name }) => (
        <label key={userId}>
          <input
            type="checkbox"
            name={`member-${userId}`}
            defaultChecked={isTyped(`member-${userId}`, false)}
          />{' '}
          <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  )
}
