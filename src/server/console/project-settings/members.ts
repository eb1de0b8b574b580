import * as v from 'valibot'
import { isAllowed, parseRole } from '#server/auth/roles.ts'
import { rawText } from '#server/forms/fields.ts'
import type { FormRejection } from '#server/forms/form-views.ts'
import { reject, type Submitted } from '#server/forms/form.ts'
import { listMembers, type MemberRecord } from '#server/store/accounts/members.ts'
import { deleteProjectMember, recordProjectMember } from '#server/store/projects/members.ts'
import { done, projectForm, type ProjectCall } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'
import type { ProjectMemberView } from './views.ts'

function toMemberView(member: MemberRecord, projectId: number, isManager: boolean): ProjectMemberView[] {
  const { userId, name, email, role } = member
  const reach = reachOf(member, projectId)
  if (reach === 'none') return []
  // Email addresses are only shown to users who manage members.
  return [{ userId, name, ...(isManager && { email }), role, reach }]
}

/** The reason for a member's access to the project. */
function reachOf({ role, projectIds }: MemberRecord, projectId: number): 'all' | 'this' | 'none' {
  const known = parseRole(role)
  if (projectIds === undefined || (known !== undefined && isAllowed(known, 'configure'))) return 'all'
  return projectIds.includes(projectId) ? 'this' : 'none'
}

const memberFields = v.object({ user: v.pipe(rawText, v.nonEmpty('Choose a member.')) })

/** Why a form cannot change the access of a user to the project. */
async function findMemberProblem({
  services,
  project,
  fields: { user },
}: Submitted<ProjectCall, { user: string }>): Promise<FormRejection | undefined> {
  const members = await listMembers(services.store.db, project.organizationId)
  const member = members.find(({ userId }) => userId === user)
  if (member === undefined) return reject([{ field: 'user', message: 'Choose a member.' }])
  return reachOf(member, project.id) === 'all'
    ? reject([{ field: 'user', message: `${member.name} has access to all projects.` }])
    : undefined
}

const addMember = projectForm(memberFields, async (form) => {
  const problem = await findMemberProblem(form)
  if (problem !== undefined) return problem
  const { services, project, fields } = form
  const { id: projectId, organizationId } = project
  await recordProjectMember(services.store, { projectId, organizationId, userId: fields.user })
  services.accounts.forgetViewers()
  return done('Member added.')
})

const removeMember = projectForm(memberFields, async (form) => {
  const problem = await findMemberProblem(form)
  if (problem !== undefined) return problem
  const { services, project, fields } = form
  await deleteProjectMember(services.store, { projectId: project.id, userId: fields.user })
  services.accounts.forgetViewers()
  return done('Member removed.')
})

/** The page "Members": the users with access to the project. Two statements. */
export const membersPage = defineProjectPage({
  page: 'members',
  title: 'Members',
  permission: 'read',
  view: async ({ services, project, view }) => {
    const members = await listMembers(services.store.db, project.organizationId)
    return {
      members: members.flatMap((member) => toMemberView(member, project.id, view.canConfigure)),
      others: view.canConfigure
        ? members
            .filter((member) => reachOf(member, project.id) === 'none')
            .map(({ userId, name, email }) => ({ userId, name, email }))
        : [],
    }
  },
  forms: { add: addMember, remove: removeMember },
})
