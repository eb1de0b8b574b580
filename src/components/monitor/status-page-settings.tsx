import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { SettingsHeader } from '#components/settings/settings-header.tsx'
import { CheckField } from '#components/ui/form/check-field.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { StatusPageSettingsView } from '#server/console/monitors/views.ts'
import '#styles/reports.css'
import '#styles/settings.css'

/** The `/settings/status-page` screen. */
export function StatusPageSettings({ view: { organizations, limit } }: { view: StatusPageSettingsView }) {
  return (
    <>
      <SettingsHeader
        title="Status page"
        description="Monitors that are visible without signing in."
        canConfigure={organizations.length > 0}
      />
      {organizations.length === 0 ? (
        <p className="quiet">Only admins and owners can manage the status page.</p>
      ) : null}
      {organizations.map((organization) => (
        <OrganizationStatusPage key={organization.id} organization={organization} limit={limit} />
      ))}
    </>
  )
}

function OrganizationStatusPage({
  organization: { id, name, isPublished, url, monitors },
  limit,
}: {
  organization: StatusPageSettingsView['organizations'][number]
  limit: number
}) {
  const form = useForm('save', { of: { organization: String(id) } })
  return (
    <Panel id={`status-page-${id}`} title={name}>
      <p>
        {isPublished ? (
          <>
            Public at <a href={url}>{url}</a>
          </>
        ) : (
          <>Not published. Its URL will be {url}</>
        )}
      </p>
      <Form form={form} label={`Status page of ${name}`}>
        <CheckField
          name="isPublished"
          label="Publish"
          isOn={isPublished}
          hint="Anyone with the URL can see it, including search engines."
        />
        {monitors.length === 0 ? (
          <p className="quiet">
            No monitors yet. <Link to="/monitors">Create a monitor</Link> first.
          </p>
        ) : (
          <fieldset className="uptime-fields">
            <legend>Public names</legend>
            <p className="field-hint">
              A monitor without one is not shown. The page shows only the name, state and uptime of a monitor.
              At most {limit} monitors.
            </p>
            {monitors.map(({ key, projectName, name: monitorName, publicName }) => (
              <Field
                key={key}
                name={key}
                label={`${monitorName} (${projectName})`}
                maxLength={80}
                defaultValue={publicName}
              />
            ))}
          </fieldset>
        )}
      </Form>
    </Panel>
  )
}
