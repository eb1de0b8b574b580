import { afterAll, describe, expect, it } from 'vitest'
import { findUserViewer } from '#server/auth/user-viewer.ts'
import { deleteMembership } from '#server/store/accounts/members.ts'
import { putMembership } from '#server/store/accounts/users.ts'
import { textWith } from '#test/matchers.ts'
import { runCommand } from '#test/run-command.ts'
import { addUser } from '#test/session.ts'
import { fixtureProject, startServer, variablesOf } from '#test/start-server.ts'
import { userAdd } from '../../bin/commands/users/add.ts'
import { userSetRole } from '../../bin/commands/users/set-role.ts'

const server = await startServer()
const { store } = server.services
afterAll(() => server.stop())

const addMember = (name: string, role: 'member' | 'owner') =>
  addUser(store, { name, email: `${name}@example.com`, password: `the long word of ${name}` }, role)
const ownerId = await addMember('olga', 'owner')

const setRole = (...args: string[]) => runCommand(userSetRole, args, variablesOf(server))

async function membershipOf(userId: string) {
  const [membership] = (await findUserViewer(store, userId))?.memberships ?? []
  return membership && { role: membership.role, projectIds: membership.projectIds }
}

describe('culvert user set-role', () => {
  it('makes a member the owner, who can then replace the only one', async () => {
    const memberId = await addMember('peter', 'member')
    expect(await setRole('olga@example.com', 'member')).toMatchObject({
      code: 1,
      stderr: textWith('needs an owner'),
    })
    expect(await setRole('Peter@example.com', 'owner')).toMatchObject({
      code: 0,
      stdout: 'peter@example.com now has the role owner.\n',
    })
    expect(await membershipOf(memberId)).toMatchObject({ role: 'owner' })
    expect(await setRole('olga@example.com', 'member')).toMatchObject({ code: 0 })
    expect(await membershipOf(ownerId)).toMatchObject({ role: 'member' })
  })

  it('keeps the projects of a member, and adds an account that was removed to the organization', async () => {
    const userId = await addMember('quentin', 'member')
    const member = { organizationId: 1, userId }
    const projectIds = [fixtureProject.id]
    await store.writer
      .transaction()
      .execute((tx) => putMembership(tx, { ...member, role: 'member', projectIds, at: store.clock() }))
    await setRole('quentin@example.com', 'viewer')
    expect(await membershipOf(userId)).toEqual({ role: 'viewer', projectIds })
    await store.writer.transaction().execute((tx) => deleteMembership(tx, member))
    expect(await runCommand(userAdd, ['quentin@example.com'], variablesOf(server))).toMatchObject({
      code: 1,
      stderr: textWith('culvert user set-role'),
    })
    await setRole('quentin@example.com', 'viewer')
    expect(await membershipOf(userId)).toMatchObject({ role: 'viewer' })
  })

  it.each([
    [[], 2, 'One email address and a role'],
    [['olga@example.com', 'king'], 2, 'viewer|member|admin|owner'],
    [['nobody@example.com', 'owner'], 1, 'No account has the email address'],
  ])('rejects %j', async (args, code, problem) => {
    expect(await setRole(...args)).toMatchObject({ code, stderr: textWith(problem) })
  })
})
