import type { FormOutcome } from '#server/auth/page-form.ts'
import { isAllowed, parseRole } from '#server/auth/roles.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { ProjectMembersView, ProjectMemberView } from '#server/console/project-views.ts'
import type { Services } from '#server/services.ts'
import { listMembers, type MemberRow } from '#server/store/members.ts'
import { deleteProjectMember, recordProjectMember } from '#server/store/project-members.ts'
import { getProjectPage } from './page.ts'
import { goToProject, refuseForm, type ProjectForm } from './post.ts'

/** The page "Members": who reaches the project. Two statements. */
export async function getMembersOfProject(
  services: Services,
  viewer: Viewer,
  slug: string,
): Promise<ProjectMembersView> {
  const { project, view } = await getProjectPage(services, viewer, slug)
  const members = await listMembers(services.store.db, project.organizationId)
  return {
    ...view,
    members: members.flatMap((member) => toMemberView(member, project.id, view.mayConfigure)),
    others: view.mayConfigure
      ? members
          .filter((member) => reachOf(member, project.id) === 'none')
          .map(({ userId, name, email }) => ({ userId, name, email }))
      : [],
  }
}

function toMemberView(member: MemberRow, projectId: number, isManager: boolean): ProjectMemberView[] {
  const { userId, name, email, role } = member
  const reach = reachOf(member, projectId)
  if (reach === 'none') return []
  // Addresses are for those who manage people.
  return [{ userId, name, ...(isManager && { email }), role, reach }]
}

/** How a member of the organization comes to reach the project. */
function reachOf({ role, projectIds }: MemberRow, projectId: number): 'all' | 'this' | 'none' {
  const known = parseRole(role)
  if (projectIds === undefined || (known !== undefined && isAllowed(known, 'configure'))) return 'all'
  return projectIds.includes(projectId) ? 'this' : 'none'
}

/** Lets one more member of the organization reach the project. */
export async function addMember(form: ProjectForm): Promise<FormOutcome> {
  return changeMember(form, 'member-added', (change) => recordProjectMember(form.services.store, change))
}

/** Lets a member reach it no longer. */
export async function removeMember(form: ProjectForm): Promise<FormOutcome> {
  return changeMember(form, 'member-removed', (change) => deleteProjectMember(form.services.store, change))
}

async function changeMember(
  { services, project, fields }: ProjectForm,
  done: string,
  change: (member: { projectId: number; organizationId: number; userId: string }) => Promise<void>,
): Promise<FormOutcome> {
  const userId = fields['user'] ?? ''
  if (userId === '') return refuseForm(fields, [{ field: 'user', message: 'Choose somebody.' }])
  await change({ projectId: project.id, organizationId: project.organizationId, userId })
  services.accounts.forgetViewers()
  return goToProject(project, 'members', done)
}
