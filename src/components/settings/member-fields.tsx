import { useField } from '#components/ui/form/field-state.ts'
import type { OrganizationMembers } from '#server/console/account/views.ts'

const roleTexts = {
  viewer: 'Viewer: read-only',
  member: 'Member: can triage',
  admin: 'Admin: manages projects and members',
  owner: 'Owner: full access',
} as const

const roles = ['viewer', 'member', 'admin', 'owner'] as const

interface RoleSelectProps {
  organization: OrganizationMembers
  id: string
  current: string
}

/** A role to choose; only owners can choose "owner". */
export function RoleSelect({ organization, id, current }: RoleSelectProps) {
  const { text } = useField('role')
  const offered = roles.filter(
    (name) => name !== 'owner' || organization.role === 'owner' || current === 'owner',
  )
  return (
    <div className="field">
      <label htmlFor={id}>Role</label>
      <select id={id} name="role" defaultValue={text(current)}>
        {offered.map((name) => (
          <option key={name} value={name}>
            {roleTexts[name]}
          </option>
        ))}
      </select>
    </div>
  )
}

interface ProjectChoiceProps {
  organization: OrganizationMembers
  id: string
  projectIds?: number[]
}

/** All projects, or some of them. Owners and admins reach every project anyway. */
export function ProjectChoice({ organization, id, projectIds }: ProjectChoiceProps) {
  const reach = useField('projects').text(projectIds === undefined ? 'all' : 'some')
  const { isTicked } = useField('projectIds')
  return (
    <fieldset className="project-choice">
      <legend>Projects</legend>
      <label>
        <input type="radio" name="projects" value="all" defaultChecked={reach === 'all'} /> All projects,
        including new ones
      </label>
      <label>
        <input type="radio" name="projects" value="some" defaultChecked={reach !== 'all'} /> Selected projects
      </label>
      <div className="project-choice-list">
        {organization.projects.map((project) => (
          <label key={project.id} htmlFor={`${id}-${project.id}`}>
            <input
              id={`${id}-${project.id}`}
              type="checkbox"
              name="projectIds"
              value={project.id}
              defaultChecked={isTicked(projectIds?.includes(project.id) ?? false, String(project.id))}
            />{' '}
            {project.name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
