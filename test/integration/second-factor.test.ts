import { symmetricEncrypt } from 'better-auth/crypto'
import { afterAll, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createHttpBrowser } from '#test/http-browser.ts'
import { textWith } from '#test/matchers.ts'
import { runCommand } from '#test/run-command.ts'
import { switchOnSecondFactor } from '#test/second-factor.ts'
import { addUser } from '#test/session.ts'
import { variablesOf } from '#test/start-server.ts'
import { startConsole } from '#test/test-console.ts'
import { totpCode } from '#test/totp.ts'
import { doctor } from '../../bin/commands/doctor/doctor.ts'
import { userDisableTwoFactor } from '../../bin/commands/users/disable-two-factor.ts'

const server = await startConsole()
await addUser(server.services.store)
afterAll(() => server.stop())

async function addMember(name: string) {
  const member = { name, email: `${name}@example.com`, password: `the long word of ${name}` }
  const userId = await addUser(server.services.store, member, 'member')
  return { ...member, userId, ...(await switchOnSecondFactor(server.origin, member)) }
}

const disable = (email: string) => runCommand(userDisableTwoFactor, [email], variablesOf(server))

it('is asked for again from the password on after the sign-in has expired', async () => {
  const browser = createHttpBrowser(server.origin)
  const late = await browser.post('/login', { action: 'code', to: '/projects', code: '123456' })
  expect(late.path).toBe('/login?step=expired&to=%2Fprojects')
  expect(late.text).toContain('The sign-in has expired. Sign in again.')
})

it('is turned off on the command line, for a user who has lost the device and the recovery codes', async () => {
  const { email, password } = await addMember('jean')
  expect(await disable(email)).toMatchObject({
    code: 0,
    stdout: textWith('second factor of jean@example.com is off'),
  })
  const browser = createHttpBrowser(server.origin)
  await browser.post('/login', { email, password })
  expect(browser.isSignedIn()).toBe(true)
  expect(await disable(email)).toMatchObject({ code: 0, stdout: textWith('has no second factor') })
  expect(await disable('nobody@example.com')).toMatchObject({ code: 1 })
})

it('that was encrypted with another secret is named as the reason, also by the doctor', async () => {
  const { email, password, userId, secret, recoveryCodes } = await addMember('karen')
  const data = await symmetricEncrypt({ key: 'another secret of thirty-two characters', data: 'of no use' })
  server.services.store.connection
    .prepare('UPDATE two_factors SET secret = ?, backup_codes = ? WHERE user_id = ?')
    .run(data, data, userId)
  const browser = createHttpBrowser(server.origin)
  await browser.post('/login', { email, password })
  for (const code of [totpCode(secret), recoveryCodes[0] ?? '']) {
    const answer = await browser.post('/login', { action: 'code', code })
    expect([answer.status, answer.text]).toEqual([409, textWith('CULVERT_SECRET has changed')])
  }
  expect(await runCommand(doctor, [], variablesOf(server))).toMatchObject({
    stderr: textWith('1 of 1 second factors were encrypted with another secret'),
  })
  await disable(email)
  expect(await runCommand(doctor, [], variablesOf(server))).toMatchObject({
    stderr: expect.not.stringContaining('second factors') as string,
  })
})

it('that is on cannot be set up again, and the reason is not the password', async () => {
  const { email, password, secret } = await addMember('ivan')
  const browser = createHttpBrowser(server.origin)
  await browser.post('/login', { email, password })
  await browser.post('/login', { action: 'code', code: totpCode(secret) })
  // More often than a wrong password could be entered.
  for (let count = 0; count <= limits.signInFreeFailures; count += 1) {
    const answer = await browser.post('/settings', { action: 'start-two-factor', password })
    expect([answer.status, answer.text]).toEqual([409, textWith('Two-factor authentication is already on.')])
  }
})
