import { platformChoicesFor } from '#components/project/platforms.ts'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Field } from '#components/ui/field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { SelectField } from '#components/ui/select-field.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ProjectPageView } from '#server/console/project-views.ts'
import type { ProjectDone } from './done-texts.ts'
import { ProjectSettings } from './project-settings.tsx'
import { SettingForm, typedFields } from './setting-form.tsx'

/** The `/projects/$slug` screen: what a project is called. */
export function GeneralPage({ view, done }: { view: ProjectPageView; done?: ProjectDone }) {
  const { project, mayConfigure } = view
  const typed = typedFields(view.form, ({ action }) => action === 'save')
  const platform = typed.text('platform', project.platform ?? '')
  return (
    <ProjectSettings view={view} title="General" done={done}>
      <Panel id="naming" title="Name">
        <SettingForm action="save" isDisabled={!mayConfigure} mark={typed.mark(view.marks.naming)}>
          <Field
            label="Name"
            name="name"
            required
            maxLength={100}
            defaultValue={typed.text('name', project.name)}
            problem={typed.problem('name')}
          />
          <Field
            label="Slug"
            name="slug"
            required
            maxLength={50}
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            autoCapitalize="none"
            defaultValue={typed.text('slug', project.slug)}
            hint="In addresses of this console and in the short ids of issues. Old links with the slug it had stop working; DSNs go on."
            problem={typed.problem('slug')}
          />
          <SelectField
            label="Platform"
            name="platform"
            choices={platformChoicesFor(platform)}
            defaultValue={platform}
            hint="Which set-up guide is shown first. Events say for themselves where they come from."
            problem={typed.problem('platform')}
          />
        </SettingForm>
      </Panel>
      <Panel id="facts" title="Facts">
        <DefinitionList
          items={[
            { term: 'Project id', description: <code>{project.id}</code> },
            { term: 'Created', description: <Time at={project.createdAt} /> },
          ]}
        />
      </Panel>
    </ProjectSettings>
  )
}
