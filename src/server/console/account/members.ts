import * as v from 'valibot'
import { isAllowed, listGrantableRoles, parseRole, roles, type Role } from '#server/auth/roles.ts'
import { findConfigurable, listConfigurable, type Membership, type Viewer } from '#server/auth/viewer.ts'
import { definePageForms, type FormCall, type Prepared } from '#server/forms/define-page-forms.ts'
import { rawText, nameText, text, texts } from '#server/forms/fields.ts'
import { formsFor, reject, type FormOutcome } from '#server/forms/form.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { createAccountLink, findInvite, listInvites, renewInvite } from '#server/store/accounts/links.ts'
import {
  countWithRole,
  deleteInvite,
  deleteLostInvites,
  deleteMembership,
  findRole,
  listMembers,
  listOrganizationProjects,
} from '#server/store/accounts/members.ts'
import { nameOrganization } from '#server/store/accounts/organizations.ts'
import { putMembership } from '#server/store/accounts/users.ts'
import type { MembersView, OrganizationMembers } from './views.ts'

/** The members of every organization in which the viewer may manage members. */
export async function getMembersView(services: Services, viewer: Viewer): Promise<MembersView> {
  const managed = listConfigurable(viewer)
  return {
    now: services.clock(),
    organizations: await Promise.all(managed.map((membership) => readMembers(services, membership))),
  }
}

async function readMembers({ store }: Services, membership: Membership): Promise<OrganizationMembers> {
  const { organizationId, organizationName, role } = membership
  const members = await listMembers(store.db, organizationId)
  const invites = await listInvites(store.db, organizationId)
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

/** A form about the members of an organization, from a user who manages them. */
interface MembersCall {
  services: Services
  viewer: Viewer
  organizationId: number
  /** The viewer's role in the organization. */
  role: Role
}

const membersForm = formsFor<MembersCall>()

/** The projects that a member has access to: `all`, or those with the listed ids. */
const reachFields = {
  role: v.pipe(rawText, v.picklist(roles, `Choose a role: ${roles.join(', ')}.`)),
  projects: rawText,
  projectIds: v.pipe(
    texts,
    v.transform((ids) => ids.map(Number).filter(Number.isSafeInteger)),
  ),
}

const inviteFields = v.object({
  ...reachFields,
  note: v.pipe(
    text,
    v.transform((note) => note.slice(0, limits.nameCharacters)),
  ),
})

const invite = membersForm(inviteFields, async ({ services, viewer, organizationId, role: own, fields }) => {
  const role = grantedRole(fields.role, own)
  if (role === undefined) return reject('Only an owner can invite an owner.', 403)
  const token = await createAccountLink(services.store, {
    purpose: { kind: 'invite', organizationId, role, ...reachOf(fields) },
    note: fields.note,
    createdBy: viewer.userId,
    lifetimeMs: limits.inviteMs,
  })
  const link = `${services.publicOrigin}/invite/${token}`
  return { kind: 'shown', shown: { kind: 'invitation', organizationId, link } }
})

/** A link cannot be shown again: only its hash is stored. A new one replaces it. */
const renewInvitation = membersForm(
  v.object({ invite: rawText }),
  async ({ services: { store, publicOrigin }, viewer, organizationId, role: own, fields }) => {
    const tokenHash = fields.invite
    const link = await findInvite(store.db, { organizationId, tokenHash })
    if (link?.purpose.kind !== 'invite') return reject('This invitation was used or revoked.', 410)
    if (grantedRole(parseRole(link.purpose.role), own) === undefined)
      return reject('Only an owner can invite an owner.', 403)
    const token = await renewInvite(store, tokenHash, {
      lifetimeMs: limits.inviteMs,
      createdBy: viewer.userId,
    })
    if (token === undefined) return reject('This invitation was used or revoked.', 410)
    const shown = { kind: 'invitation', organizationId, link: `${publicOrigin}/invite/${token}` } as const
    return { kind: 'shown', shown }
  },
)

const withdrawInvite = membersForm(
  v.object({ invite: rawText }),
  async ({ services, organizationId, fields }) => {
    await deleteInvite(services.store.writer, { organizationId, tokenHash: fields.invite })
    return { kind: 'done', text: 'Invitation revoked.' }
  },
)

const memberFields = v.object({ ...reachFields, user: rawText })

const changeMember = membersForm(
  memberFields,
  async ({ services: { store }, organizationId, role: own, fields }) => {
    const userId = fields.user
    const role = grantedRole(fields.role, own)
    if (role === undefined) return reject('Only an owner can grant the owner role.', 403)
    return store.writer.transaction().execute(async (tx): Promise<FormOutcome> => {
      const current = await findRole(tx, { organizationId, userId })
      if (current === undefined) return notHere
      if (current === 'owner' && own !== 'owner') return reject('Only an owner can change an owner.', 403)
      if (current === 'owner' && role !== 'owner' && (await isLastOwner(tx, organizationId))) return lastOwner
      await putMembership(tx, { organizationId, userId, role, at: store.clock(), ...reachOf(fields) })
      await deleteLostInvites(tx, { organizationId, userId, role })
      return { kind: 'done', text: 'Member saved.' }
    })
  },
)

const removeMember = membersForm(
  v.object({ user: rawText }),
  async ({ services, organizationId, role: own, fields: { user: userId } }) =>
    services.store.writer.transaction().execute(async (tx): Promise<FormOutcome> => {
      const current = await findRole(tx, { organizationId, userId })
      if (current === undefined) return notHere
      if (current === 'owner' && own !== 'owner') return reject('Only an owner can remove an owner.', 403)
      if (current === 'owner' && (await isLastOwner(tx, organizationId))) return lastOwner
      await deleteMembership(tx, { organizationId, userId })
      return { kind: 'done', text: 'Member removed.' }
    }),
)

/** The field for the name of an organization. */
export const organizationName = nameText('Enter the name of your company or team.', limits.nameCharacters)

const rename = membersForm(
  v.object({ name: organizationName }),
  async ({ services, organizationId, role, fields }) => {
    if (!isAllowed(role, 'govern')) return reject('Only an owner can rename an organization.', 403)
    await nameOrganization(services.store.writer, { id: organizationId, name: fields.name })
    return { kind: 'done', text: 'Name saved.' }
  },
)

/** The forms of `/settings/members`. An object without access is answered as one that does not exist. */
export const memberForms = definePageForms(
  {
    invite,
    'renew-invite': renewInvitation,
    'withdraw-invite': withdrawInvite,
    'change-member': changeMember,
    'remove-member': removeMember,
    'rename-organization': rename,
  },
  { prepare: findManaged, conclude: async ({ services }) => services.accounts.forgetViewers() },
)

async function findManaged({ services, viewer, fields }: FormCall): Promise<Prepared<MembersCall>> {
  if (viewer === undefined) return { outcome: { kind: 'signed-out' } }
  const membership = findConfigurable(viewer, fields['organization'])
  if (membership === undefined) return { outcome: notHere }
  const { organizationId, role } = membership
  return { context: { services, viewer, organizationId, role } }
}

async function isLastOwner(
  tx: Parameters<typeof countWithRole>[0],
  organizationId: number,
): Promise<boolean> {
  return (await countWithRole(tx, { organizationId, role: 'owner' })) === 1
}

/** The role, if a user with their own role may grant it. */
function grantedRole(role: Role | undefined, own: Role): Role | undefined {
  return listGrantableRoles(own).find((each) => each === role)
}

/** The projects chosen in a form; undefined for all projects. */
function reachOf({ projects, projectIds }: { projects: string; projectIds: number[] }) {
  return projects === 'some' ? { projectIds } : {}
}

const notHere = reject('Member not found.', 403)
const lastOwner = reject('An organization needs an owner: make another member an owner first.', 403)
