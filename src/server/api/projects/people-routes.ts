import * as v from 'valibot'
import { userAnswer } from '#server/api/answer-schema.ts'
import { answerPage, notFoundAnswer, errorAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import { isAllowed } from '#server/auth/roles.ts'
import type { Membership } from '#server/auth/viewer.ts'
import { listMembers, type MemberRecord } from '#server/store/accounts/members.ts'
import { memberAnswer } from './answer.ts'

/** Members of an organization or a project, who can be assigned to issues. */
export const peopleRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/organizations/{org}/users/',
    scope: 'org:read',
    summary: 'The members with access to the projects of the token’s user. Requires the member role.',
    answers: v.array(userAnswer),
    isPaged: true,
    handle: (call) => answerUsers(call, findMembership(call)?.projectIds),
  },
  {
    method: 'GET',
    path: '/projects/{org}/{project}/members/',
    scope: 'project:read',
    summary: 'The members with access to a project. Requires the member role.',
    answers: v.array(userAnswer),
    isPaged: true,
    handle: async (call) => answerUsers(call, (await findProjectScope(call))?.projectIds),
  },
  {
    method: 'GET',
    path: '/organizations/{org}/members/',
    scope: 'org:read',
    summary: 'The members of an organization with their roles. Requires the admin role.',
    answers: v.array(memberAnswer),
    isPaged: true,
    handle: answerMembers,
  },
]

async function answerUsers(call: ApiCall, projectIds: readonly number[] | undefined): Promise<ApiAnswer> {
  const membership = findMembership(call)
  if (membership === undefined || projectIds === undefined) return notFoundAnswer
  if (!isAllowed(membership.role, 'triage')) return cannotList
  const members = await listMembers(call.services.store.db, membership.organizationId)
  const reaching = members.filter(
    (member) => member.hasAccessToAll || member.projectIds?.some((id) => projectIds.includes(id)) === true,
  )
  return answerPage(call.url, { rows: reaching.map(toUserJson) })
}

async function answerMembers(call: ApiCall): Promise<ApiAnswer> {
  const membership = findMembership(call)
  if (membership === undefined) return notFoundAnswer
  if (!isAllowed(membership.role, 'configure')) return cannotList
  const members = await listMembers(call.services.store.db, membership.organizationId)
  return answerPage(call.url, { rows: members.map((member) => toMemberJson(member, membership)) })
}

function toUserJson({ userId, name, email }: MemberRecord): v.InferOutput<typeof userAnswer> {
  return { id: userId, name, username: email, email, isActive: true }
}

function toMemberJson(
  member: MemberRecord,
  { organizationId }: Membership,
): v.InferOutput<typeof memberAnswer> {
  const { userId, name, email, role } = member
  return {
    id: `${organizationId}:${userId}`,
    name,
    email,
    role,
    orgRole: role,
    pending: false,
    expired: false,
    user: toUserJson(member),
  }
}

const cannotList = errorAnswer(
  403,
  'You do not have permission to perform this action: your role cannot list members.',
)
