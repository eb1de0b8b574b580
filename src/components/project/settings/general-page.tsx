import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { platformChoicesFor } from '#components/project/platforms.ts'
import { RejectedRequests } from '#components/project/rejected-requests.tsx'
import { StoredData } from '#components/project/stored-data.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { ProjectGeneralView } from '#server/console/project-settings/views.ts'
import { ProjectSettingsLayout } from './project-settings.tsx'

/** The `/projects/$slug` screen: name, slug and platform of a project. */
export function GeneralPage({ view }: { view: ProjectGeneralView }) {
  const { project, canConfigure } = view
  return (
    <ProjectSettingsLayout view={view}>
      <RejectedRequests slug={project.slug} rejected={view.rejected} />
      {canConfigure ? <Naming view={view} /> : null}
      <StoredData slug={project.slug} />
      <Panel id="facts" title="Details">
        <DefinitionList
          items={[
            { term: 'Project ID', description: <code>{project.id}</code> },
            { term: 'Slug', description: <code>{project.slug}</code> },
            { term: 'Created', description: <Time at={project.createdAt} /> },
          ]}
        />
      </Panel>
    </ProjectSettingsLayout>
  )
}

function Naming({ view: { project, marks } }: { view: ProjectGeneralView }) {
  const form = useForm('save', { mark: marks.naming })
  const platform = project.platform ?? ''
  return (
    <Panel id="naming" title="Name">
      <Form form={form}>
        <Field label="Name" name="name" required maxLength={100} defaultValue={project.name} />
        <Field
          label="Slug"
          name="slug"
          required
          maxLength={50}
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          autoCapitalize="none"
          defaultValue={project.slug}
          hint="Used in URLs and issue IDs. A new slug breaks old links. DSNs stay valid."
        />
        <SelectField
          label="Platform"
          name="platform"
          choices={platformChoicesFor(platform)}
          defaultValue={platform}
          hint="Sets the default setup guide. It does not affect events."
        />
      </Form>
    </Panel>
  )
}
