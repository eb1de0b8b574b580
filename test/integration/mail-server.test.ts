import { expect, it, onTestFinished } from 'vitest'
import { startServerProcess } from '#test/server-process.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { startConsole } from '#test/test-console.ts'
import { makeTestFolder } from '#test/test-store.ts'

/** No mail server answers on it. */
const variables = {
  CULVERT_SMTP_URL: 'smtp://ada:a-secret-password@127.0.0.1:9?tls=optional',
  CULVERT_MAIL_FROM: 'culvert@culvert.example',
}

it('a server starts without its mail server, and then logs the problem', async () => {
  const dataDir = await makeTestFolder()
  const server = await startServerProcess({ dataDir, variables })
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
  const warnings = () => server.log.filter(({ msg }) => String(msg).includes('CULVERT_SMTP_URL'))
  await expect.poll(() => warnings().length).toBe(1)
  expect(String(warnings()[0]?.['problem'])).toMatch(/^The mail server 127\.0\.0\.1:9 cannot be used/)
  const logged = server.log.map(({ msg }) => msg)
  expect(logged.indexOf('listening')).toBeLessThan(logged.indexOf(warnings()[0]?.['msg']))
  expect(`${JSON.stringify(server.log)} ${server.stderr()}`).not.toContain('a-secret-password')
  expect(await server.end('SIGTERM')).toBe(0)
})

it('admins see on each page that the mail server does not accept mails, and the reason under System', async () => {
  const server = await startConsole({ variables })
  onTestFinished(() => server.stop())
  const { store, mailCheck } = server.services
  await addUser(store)
  const member = { name: 'Bo', email: 'bo@example.com', password: 'a password for tests' }
  await addUser(store, member, 'member')
  const open = async (path: string, cookie: string) =>
    (await fetch(server.origin + path, { headers: { accept: 'text/html', cookie } })).text()
  const [owner, other] = [await cookieOf(server.origin), await cookieOf(server.origin, member)]
  expect(await open('/inbox', owner)).not.toContain('Alerts do not arrive')
  mailCheck.start()
  await expect.poll(() => mailCheck.findProblem()).toBeDefined()
  expect(await open('/inbox', owner)).toMatch(/Alerts do not arrive.*mail server/)
  for (const path of ['/settings/system', '/settings/destinations'])
    expect(await open(path, owner)).toContain('The mail server 127.0.0.1:9 cannot be used')
  for (const path of ['/inbox', '/settings/system'])
    expect(await open(path, other)).not.toMatch(/Alerts do not arrive|mail server/)
})
