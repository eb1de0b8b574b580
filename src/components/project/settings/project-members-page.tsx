import { ConfirmedForm } from '#components/form/confirmed-form.tsx'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectMembersView, ProjectMemberView } from '#server/console/project-settings/views.ts'
import { ProjectSettingsLayout } from './project-settings.tsx'

/** The `/projects/$slug/members` screen: the users with access to the project. */
export function ProjectMembersPage({ view }: { view: ProjectMembersView }) {
  const { members, others, canConfigure } = view
  return (
    <ProjectSettingsLayout view={view}>
      <Panel
        id="members"
        title="Members with access"
        note={canConfigure ? <Link to="/settings/members">Invite, change roles</Link> : undefined}
      >
        <ul className="member-list">
          {members.map((member) => (
            <MemberRow
              key={member.userId}
              member={member}
              projectName={view.project.name}
              canConfigure={canConfigure}
            />
          ))}
        </ul>
      </Panel>
      {others.length === 0 ? null : <AddMember others={others} />}
    </ProjectSettingsLayout>
  )
}

function MemberRow({
  member: { userId, name, email, role, reach },
  projectName,
  canConfigure,
}: {
  member: ProjectMemberView
  projectName: string
  canConfigure: boolean
}) {
  const remove = useForm('remove', { of: { user: userId } })
  return (
    <li className="project-member-row">
      <div className="member-name">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {email === undefined ? null : <span className="quiet">{email}</span>}
      </div>
      <span>
        {role} <span className="quiet">{reach === 'all' ? 'of every project' : 'of this project'}</span>
      </span>
      {canConfigure && reach === 'this' ? (
        <ConfirmedForm
          form={remove}
          verb="Remove"
          subject={name}
          warning={`${name} loses access to ${projectName}, and issues assigned to ${name} become unassigned. You can add the member again.`}
        />
      ) : null}
    </li>
  )
}

function AddMember({ others }: { others: ProjectMembersView['others'] }) {
  const add = useForm('add')
  return (
    <Panel id="add-member" title="Add member" note="Members without access yet">
      <Form form={add} submitLabel="Add">
        <SelectField
          label="Member"
          name="user"
          choices={[
            { value: '', label: 'Choose a member' },
            ...others.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` })),
          ]}
        />
      </Form>
    </Panel>
  )
}
