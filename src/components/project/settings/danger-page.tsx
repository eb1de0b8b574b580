import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Field } from '#components/ui/form/field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectPageView } from '#server/console/project-settings/views.ts'
import { ProjectSettingsLayout } from './project-settings.tsx'

/** The `/projects/$slug/danger` screen: disables or deletes a project. */
export function DangerPage({ view }: { view: ProjectPageView }) {
  const { project } = view
  const toggle = useForm('switch', { of: { isOn: String(!project.isAccepting) } })
  const deletion = useForm('delete')
  if (project.isBuiltIn) {
    return (
      <ProjectSettingsLayout view={view}>
        <p>Culvert reports its own errors to this project: it can be neither disabled nor deleted.</p>
      </ProjectSettingsLayout>
    )
  }
  return (
    <ProjectSettingsLayout view={view}>
      <Panel id="switch" title={project.isAccepting ? 'Disable project' : 'Enable project'}>
        <p className="panel-text">
          {project.isAccepting
            ? 'Rejects all incoming events (403). Stored data is kept.'
            : 'Its keys accept events again.'}
        </p>
        <Form
          form={toggle}
          submitLabel={project.isAccepting ? 'Disable' : 'Enable'}
          {...(project.isAccepting && { tone: 'danger' as const })}
        />
      </Panel>
      <Panel id="delete" title="Delete project">
        <p className="panel-text">
          Permanently deletes all issues, events, releases, keys and settings. This can’t be undone.
        </p>
        <Form form={deletion} submitLabel="Delete project" tone="danger">
          <Field
            label={`Type “${project.slug}” to confirm`}
            name="confirmation"
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Form>
      </Panel>
    </ProjectSettingsLayout>
  )
}
