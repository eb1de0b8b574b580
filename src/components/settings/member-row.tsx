import { ConfirmedForm } from '#components/form/confirmed-form.tsx'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import type { OrganizationMembers } from '#server/console/account/views.ts'
import { ProjectChoice, RoleSelect } from './member-fields.tsx'

/** A member with role and projects, and the form that changes them. */
export function MemberRow({
  member,
  organization,
}: {
  member: OrganizationMembers['members'][number]
  organization: OrganizationMembers
}) {
  const projects = organization.projects.filter(({ id }) => member.projectIds?.includes(id) === true)
  return (
    <li className="member-row">
      <div className="member-name">
        <strong>{member.name}</strong>
        <span className="quiet">{member.email}</span>
      </div>
      <span>{member.role}</span>
      <span className="quiet">
        {member.hasAccessToAll ? 'all projects' : projects.map(({ name }) => name).join(', ') || 'no project'}
        {member.hasTwoFactor ? ' · two-factor' : ''}
      </span>
      <details className="member-edit">
        <summary className="button" aria-label={`Edit ${member.name}`}>
          Edit
        </summary>
        <MemberForms member={member} organization={organization} />
      </details>
    </li>
  )
}

function MemberForms({
  member,
  organization,
}: {
  member: OrganizationMembers['members'][number]
  organization: OrganizationMembers
}) {
  const id = `member-${organization.id}-${member.userId}`
  const of = { organization: String(organization.id), user: member.userId }
  const change = useForm('change-member', { of })
  const remove = useForm('remove-member', { of })
  return (
    <div className="member-forms">
      <Form form={change} tone="plain">
        <RoleSelect organization={organization} id={`${id}-role`} current={member.role} />
        <ProjectChoice organization={organization} id={`${id}-projects`} projectIds={member.projectIds} />
      </Form>
      <ConfirmedForm
        form={remove}
        verb="Remove"
        subject={member.name}
        warning={`${member.name} loses access to every project of ${organization.name}, and issues assigned to ${member.name} become unassigned. The account remains: an invitation adds it again.`}
      />
    </div>
  )
}
