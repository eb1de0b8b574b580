import type { MemberView, OrganizationMembers } from '#server/auth/views.ts'
import { ProjectChoice, RoleSelect } from './member-fields.tsx'

/** A member with role and projects, and the form that changes them. */
export function MemberRow({
  member,
  organization,
}: {
  member: MemberView
  organization: OrganizationMembers
}) {
  const projects = organization.projects.filter(({ id }) => member.projectIds?.includes(id) === true)
  const isRestricted = member.projectIds !== undefined && member.role !== 'owner' && member.role !== 'admin'
  return (
    <li className="member-row">
      <div className="member-name">
        <strong>{member.name}</strong>
        <span className="quiet">{member.email}</span>
      </div>
      <span>{member.role}</span>
      <span className="quiet">
        {isRestricted ? projects.map(({ name }) => name).join(', ') || 'no project' : 'all projects'}
        {member.hasTwoFactor ? ' · second factor' : ''}
      </span>
      <details className="member-edit">
        <summary aria-label={`Change ${member.name}`}>Change</summary>
        <MemberForms member={member} organization={organization} />
      </details>
    </li>
  )
}

function MemberForms({ member, organization }: { member: MemberView; organization: OrganizationMembers }) {
  const id = `member-${organization.id}-${member.userId}`
  return (
    <div className="member-forms">
      <form method="post" className="page-form">
        <Target action="change-member" member={member} organization={organization} />
        <RoleSelect organization={organization} id={`${id}-role`} current={member.role} />
        <ProjectChoice
          organization={organization}
          id={`${id}-projects`}
          {...(member.projectIds !== undefined && { projectIds: member.projectIds })}
        />
        <button type="submit" className="button">
          Save
        </button>
      </form>
      <form method="post">
        <Target action="remove-member" member={member} organization={organization} />
        <button type="submit" className="button" data-tone="danger">
          Remove {member.name}
        </button>
      </form>
    </div>
  )
}

function Target({
  action,
  member,
  organization,
}: {
  action: string
  member: MemberView
  organization: OrganizationMembers
}) {
  return (
    <>
      <input type="hidden" name="action" value={action} />
      <input type="hidden" name="organization" value={organization.id} />
      <input type="hidden" name="user" value={member.userId} />
    </>
  )
}
