import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { createAccountLink, listInvites } from '#server/store/account-links.ts'
import {
  countWithRole,
  deleteInvite,
  deleteMembership,
  findRole,
  listMembers,
  listOrganizationProjects,
} from '#server/store/members.ts'
import { putMembership } from '#server/store/users.ts'
import { findFormState, type FormOutcome, type PostedForm } from './page-form.ts'
import { isAllowed, parseRole, type Role } from './roles.ts'
import type { Membership, Viewer } from './viewer.ts'
import type { MembersView, OrganizationMembers } from './views.ts'

/** The people of every organization in which the viewer may manage them. */
export async function getMembersView(services: Services, viewer: Viewer): Promise<MembersView> {
  const form = findFormState()
  const managed = viewer.memberships.filter(({ role }) => isAllowed(role, 'configure'))
  return {
    now: services.clock(),
    organizations: await Promise.all(managed.map((membership) => readMembers(services, membership))),
    ...(form !== undefined && { form }),
  }
}

async function readMembers({ store }: Services, membership: Membership): Promise<OrganizationMembers> {
  const { organizationId, organizationName, role } = membership
  const members = await listMembers(store.db, organizationId)
  const invites = await listInvites(store.db, organizationId, store.clock())
  const projects = await listOrganizationProjects(store.db, organizationId)
  return {
    id: organizationId,
    name: organizationName,
    role,
    members,
    invites: invites.flatMap(({ tokenHash, purpose, note, createdAt, expiresAt }) =>
      purpose.kind === 'invite' ? [{ id: tokenHash, role: purpose.role, note, createdAt, expiresAt }] : [],
    ),
    projects,
  }
}

/** Who manages which organization, and what the form says. */
interface MembersForm {
  services: Services
  viewer: Viewer
  organizationId: number
  /** Of the viewer there. */
  role: Role
  fields: Record<string, string>
}

type Action = (form: MembersForm) => Promise<FormOutcome>

const actions: Record<string, Action> = {
  invite,
  'withdraw-invite': withdrawInvite,
  'change-member': changeMember,
  'remove-member': removeMember,
}

/** Answers a form of `/settings/members`. What is out of the viewer's reach is as if it were not there. */
export async function postMembers(services: Services, form: PostedForm): Promise<FormOutcome> {
  const { request, fields } = form
  const viewer = await services.accounts.findViewer(request.headers)
  if (viewer === undefined) return { kind: 'go', to: '/login?to=%2Fsettings%2Fmembers' }
  const action = findAction(fields['action'] ?? '')
  const membership = viewer.memberships.find(
    ({ organizationId, role }) =>
      String(organizationId) === fields['organization'] && isAllowed(role, 'configure'),
  )
  if (action === undefined || membership === undefined) return notHere
  const { organizationId, role } = membership
  const outcome = await action({ services, viewer, organizationId, role, fields })
  services.accounts.forgetViewers()
  return outcome
}

function findAction(name: string): Action | undefined {
  return Object.hasOwn(actions, name) ? actions[name] : undefined
}

async function invite(form: MembersForm): Promise<FormOutcome> {
  const { services, viewer, organizationId, fields } = form
  const role = parseGrantedRole(form)
  if (role === undefined) return refused('Only an owner can invite an owner.')
  const projectIds = parseProjects(fields)
  const token = await createAccountLink(services.store, {
    purpose: { kind: 'invite', organizationId, role, ...(projectIds !== undefined && { projectIds }) },
    note: fields['note']?.trim().slice(0, limits.nameCharacters) ?? '',
    createdBy: viewer.userId,
    lifetimeMs: limits.inviteMs,
  })
  const link = `${services.publicOrigin}/invite/${token}`
  return { kind: 'again', status: 200, values: { link, organization: String(organizationId) }, problems: [] }
}

async function withdrawInvite({ services, organizationId, fields }: MembersForm): Promise<FormOutcome> {
  await deleteInvite(services.store.writer, { organizationId, tokenHash: fields['invite'] ?? '' })
  return done
}

async function changeMember(form: MembersForm): Promise<FormOutcome> {
  const { services, organizationId, fields } = form
  const { store } = services
  const userId = fields['user'] ?? ''
  const role = parseGrantedRole(form)
  if (role === undefined) return refused('Only an owner can make an owner.')
  const projectIds = parseProjects(fields)
  return store.writer.transaction().execute(async (tx): Promise<FormOutcome> => {
    const current = await findRole(tx, { organizationId, userId })
    if (current === undefined) return notHere
    if (current === 'owner' && form.role !== 'owner') return refused('Only an owner can change an owner.')
    if (current === 'owner' && role !== 'owner' && (await isLastOwner(tx, organizationId)))
      return refused('An organization needs an owner: make somebody else one first.')
    await putMembership(tx, {
      organizationId,
      userId,
      role,
      at: store.clock(),
      ...(projectIds !== undefined && { projectIds }),
    })
    return done
  })
}

async function removeMember(form: MembersForm): Promise<FormOutcome> {
  const { services, organizationId, fields } = form
  const userId = fields['user'] ?? ''
  return services.store.writer.transaction().execute(async (tx): Promise<FormOutcome> => {
    const current = await findRole(tx, { organizationId, userId })
    if (current === undefined) return notHere
    if (current === 'owner' && form.role !== 'owner') return refused('Only an owner can remove an owner.')
    if (current === 'owner' && (await isLastOwner(tx, organizationId)))
      return refused('An organization needs an owner: make somebody else one first.')
    await deleteMembership(tx, { organizationId, userId })
    return done
  })
}

async function isLastOwner(
  tx: Parameters<typeof countWithRole>[0],
  organizationId: number,
): Promise<boolean> {
  return (await countWithRole(tx, { organizationId, role: 'owner' })) === 1
}

/** The role in the form, when whoever sent it may give it. */
function parseGrantedRole({ fields, role: own }: MembersForm): Role | undefined {
  const role = parseRole(fields['role'])
  return role === 'owner' && own !== 'owner' ? undefined : role
}

/** The projects ticked in the form (`project-7`); undefined for all of them. */
function parseProjects(fields: Record<string, string>): number[] | undefined {
  if (fields['projects'] !== 'some') return undefined
  return Object.keys(fields).flatMap((name) => {
    const id = Number(/^project-(\d{1,15})$/.exec(name)?.[1])
    return Number.isSafeInteger(id) ? [id] : []
  })
}

const done: FormOutcome = { kind: 'go', to: '/settings/members' }
const notHere: FormOutcome = refused('There is no such member or organization within your reach.')

function refused(message: string): FormOutcome {
  return { kind: 'again', status: 403, values: {}, problems: [{ message }] }
}
