import { Link } from '@tanstack/react-router'
import { Panel } from '#components/ui/panel.tsx'
import { SelectField } from '#components/ui/select-field.tsx'
import type { ProjectMembersView } from '#server/console/project-views.ts'
import type { ProjectDone } from './done-texts.ts'
import { ProjectSettings } from './project-settings.tsx'
import { SettingForm, typedFields } from './setting-form.tsx'

/** The `/projects/$slug/members` screen: who reaches the project. */
export function ProjectMembersPage({ view, done }: { view: ProjectMembersView; done?: ProjectDone }) {
  const { members, others, mayConfigure } = view
  const typed = typedFields(view.form, ({ action }) => action === 'add')
  return (
    <ProjectSettings view={view} title="Members" done={done}>
      <Panel
        id="members"
        title="Who reaches the project"
        note={mayConfigure ? <Link to="/settings/members">Invite, change roles</Link> : undefined}
      >
        <ul className="member-list">
          {members.map(({ userId, name, email, role, reach }) => (
            <li key={userId}>
              <div className="member-name">
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                {email === undefined ? null : <span className="quiet">{email}</span>}
              </div>
              <span>
                {role}{' '}
                <span className="quiet">{reach === 'all' ? 'of every project' : 'of this project'}</span>
              </span>
              {mayConfigure && reach === 'this' ? (
                <SettingForm
                  action="remove"
                  isDisabled={false}
                  hidden={{ user: userId }}
                  submitLabel="Remove"
                  tone="danger"
                />
              ) : null}
            </li>
          ))}
        </ul>
      </Panel>
      {others.length === 0 ? null : (
        <Panel id="add-member" title="Let somebody in" note="Members who reach other projects only">
          <SettingForm action="add" isDisabled={false} submitLabel="Add">
            <SelectField
              label="Who"
              name="user"
              choices={[
                { value: '', label: 'Choose somebody' },
                ...others.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` })),
              ]}
              defaultValue={typed.text('user', '')}
              problem={typed.problem('user')}
            />
          </SettingForm>
        </Panel>
      )}
    </ProjectSettings>
  )
}
