import { afterAll, expect, it } from 'vitest'
import { createApiToken } from '#server/store/accounts/api-tokens.ts'
import { createAccountLink, findAccountLink } from '#server/store/accounts/links.ts'
import { createHttpBrowser } from '#test/http-browser.ts'
import { textWith } from '#test/matchers.ts'
import { runCommand } from '#test/run-command.ts'
import { addUser, type TestUser } from '#test/session.ts'
import { variablesOf } from '#test/start-server.ts'
import { startTestConsole } from '#test/test-console.ts'
import { userRemove } from '../../bin/commands/users/remove.ts'

// The built console, for sessions and pages.
const server = await startTestConsole()
const { store } = server.services
afterAll(() => server.stop())

const userOf = (name: string): TestUser => ({
  name,
  email: `${name}@example.com`,
  password: `the long word of ${name}`,
})
const remove = (...args: string[]) => runCommand(userRemove, args, variablesOf(server))

async function signIn({ email, password }: TestUser) {
  const browser = createHttpBrowser(server.origin)
  await browser.post('/login', { email, password })
  return browser
}

it('culvert user remove deletes an account with its sessions and tokens, and keeps its comments, but not its issues', async () => {
  const grace = userOf('grace')
  const userId = await addUser(store, grace, 'member')
  await server.send({ event_id: 'a'.repeat(32), message: 'Payment failed' })
  const issue = await store.db.selectFrom('issues').select('id').executeTakeFirstOrThrow()
  const browser = await signIn(grace)
  const path = `/issues/${issue.id}`
  await browser.post('/actions/issue-assignee', { issueIds: String(issue.id), assignee: userId })
  await browser.post('/actions/issue-comment', { issueId: String(issue.id), text: 'Seen in the logs' })
  const token = await createApiToken(store, { userId, name: 'for tests', scopes: ['org:read'] })
  const purpose = { kind: 'invite', organizationId: 1, role: 'viewer' } as const
  const invitation = await createAccountLink(store, { purpose, createdBy: userId, lifetimeMs: 60_000 })
  const readApi = () =>
    fetch(`${server.origin}/api/0/organizations/`, { headers: { authorization: `Bearer ${token}` } })
  expect((await readApi()).status).toBe(200)

  expect(await remove('Grace@example.com')).toMatchObject({
    code: 0,
    stdout: textWith('grace@example.com is deleted'),
  })

  await expect.poll(async () => (await browser.open('/issues')).path).toMatch(/^\/login/)
  expect((await readApi()).status).toBe(401)
  expect(await findAccountLink(store.db, invitation, store.clock())).toBeUndefined()
  expect((await signIn(grace)).isSignedIn()).toBe(false)
  const page = await (await server.open('admin', path)).text()
  expect(page).toContain('Seen in the logs')
  expect(page).toContain('Deleted account')
  expect(page).toContain('Assigned to')
  await server.services.issueTimer.check()
  const unassigned = await (await server.open('admin', path)).text()
  expect(unassigned).toContain('unassigned this: its assignee no longer has access')
  expect(unassigned).not.toContain('Assigned to')
  expect(await remove('grace@example.com')).toMatchObject({ code: 1, stderr: textWith('No account') })
})

it('culvert user remove keeps the only owner of an organization, and names the organization', async () => {
  const olga = userOf('olga')
  await addUser(store, olga, 'owner')
  const browser = await signIn(olga)
  expect(await remove('olga@example.com')).toMatchObject({
    code: 1,
    stderr: textWith('olga@example.com is the only owner of'),
  })
  expect(await remove('outsider@example.com')).toMatchObject({ code: 1, stderr: textWith('owner of Other') })
  expect((await browser.open('/settings')).status).toBe(200)
  await addUser(store, userOf('peter'), 'owner')
  expect(await remove('olga@example.com')).toMatchObject({ code: 0 })
})

it.each([[[]], [['a@example.com', 'b@example.com']]])('culvert user remove rejects %j', async (args) => {
  expect(await remove(...args)).toMatchObject({ code: 2, stderr: textWith('Usage: culvert user remove') })
})
