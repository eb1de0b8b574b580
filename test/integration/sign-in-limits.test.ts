import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMember, firstOrganizationId } from '#server/auth/new-accounts.ts'
import { limits } from '#server/limits.ts'
import { createHttpBrowser, type HttpBrowser } from '#test/http-browser.ts'
import { switchOnSecondFactor } from '#test/second-factor.ts'
import { addUser, type TestUser } from '#test/session.ts'
import type { TestServer } from '#test/start-server.ts'
import { startConsole } from '#test/test-console.ts'
import { totpCode } from '#test/totp.ts'

let server: TestServer

beforeAll(async () => {
  server = await startConsole()
  await addUser(server.services.store)
  // Loads everything that the first sign-in loads.
  await newBrowser().post('/login', { email: 'nobody@example.com', password: 'wrong' })
}, 120_000)
afterAll(() => server.stop())

async function addMember(name: string): Promise<TestUser> {
  const member = { name, email: `${name}@example.com`, password: `the long word of ${name}` }
  // With the real cost of a password: attempts overlap as long as those of users.
  await createMember(server.services.store, {
    ...member,
    role: 'member',
    organizationId: firstOrganizationId,
  })
  return member
}

/** A network that no other test of this file uses. */
let networkCount = 0
function nextAddress(): string {
  networkCount += 1
  return `203.${networkCount >> 16}.${(networkCount >> 8) & 255}.${networkCount & 255}`
}

const newBrowser = (address = nextAddress()) => createHttpBrowser(server.origin, address)

/** How many attempts after the free ones were due by now: the delays are 1, 2, 4, … seconds. */
const extraSince = (begun: number) => Math.floor(Math.log2((performance.now() - begun) / 1_000 + 1))

/** Sends the same form many times at once; returns the number of answers by status. */
async function flood(
  browsers: HttpBrowser[],
  path: string,
  fields: Record<string, string>,
): Promise<Record<number, number>> {
  const statuses = await Promise.all(
    browsers.map(async (browser) => (await browser.post(path, fields)).status),
  )
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Expects that exactly the free attempts were checked, and those that were due since. */
function expectChecked(counts: Record<number, number>, freeFailures: number, begun: number): void {
  const checked = (counts[401] ?? 0) + (counts[422] ?? 0)
  expect(checked).toBeGreaterThanOrEqual(freeFailures)
  expect(checked).toBeLessThanOrEqual(freeFailures + extraSince(begun))
}

const times = <Made>(count: number, make: () => Made): Made[] => Array.from({ length: count }, make)

async function canSignIn(browser: HttpBrowser, { email, password }: TestUser): Promise<boolean> {
  await browser.post('/login', { email, password })
  return browser.isSignedIn()
}

/** Sets the number of failures under a name. */
function setFailures(name: string, count: number): void {
  const hash = createHash('sha256').update(name).digest('hex')
  const set = server.services.store.connection.prepare(
    'UPDATE sign_in_failures SET failure_count = ? WHERE name_hash = ?',
  )
  expect(set.run(count, hash).changes).toBe(1)
}

/** Deletes the failures of earlier tests. */
const forgetFailures = () => server.services.store.connection.exec('DELETE FROM sign_in_failures')

describe('wrong passwords', () => {
  it('40 at once for one account from one network: as many are checked as one after another', async () => {
    const { email } = await addMember('alan')
    const address = nextAddress()
    const begun = performance.now()
    const counts = await flood(
      times(40, () => newBrowser(address)),
      '/login',
      { email, password: 'wrong' },
    )
    expectChecked(counts, limits.signInFreeFailures, begun)
    expect((counts[401] ?? 0) + (counts[429] ?? 0)).toBe(40)
  })

  it('from everywhere: a hundred are checked, and no attacker locks out a browser that has signed in before', async () => {
    const member = await addMember('barbara')
    const home = newBrowser()
    expect(await canSignIn(home, member)).toBe(true)
    // Ninety-five of the hundred, each from another network, within an hour.
    await newBrowser().post('/login', { ...member, password: 'wrong' })
    const free = 5
    setFailures(`account\0${member.email}`, limits.signInFreeFailuresPerAccount - free)
    const begun = performance.now()
    const counts = await flood(
      times(30, () => newBrowser()),
      '/login',
      { ...member, password: 'wrong' },
    )
    expectChecked(counts, free, begun)
    expect((counts[401] ?? 0) + (counts[429] ?? 0)).toBe(30)
    // With so many failures the delay is the longest one, however long the flood took.
    setFailures(`account\0${member.email}`, limits.signInFreeFailuresPerAccount + 20)
    expect(await canSignIn(newBrowser(), member)).toBe(false)
    await home.post('/sign-out', {})
    expect(await canSignIn(home, member)).toBe(true)
  })

  it('of thirty networks lock out no account, not even from a new browser', async () => {
    const member = await addMember('claude')
    for (let round = 0; round < 30 / limits.signInsAtOnce; round += 1)
      await flood(
        times(limits.signInsAtOnce, () => newBrowser()),
        '/login',
        { ...member, password: 'wrong' },
      )
    expect(await canSignIn(newBrowser(), member)).toBe(true)
  })

  it('in a known browser delay that browser, too', async () => {
    const member = await addMember('dorothy')
    const thief = newBrowser()
    await canSignIn(thief, member)
    thief.cookies.delete('culvert.session_token')
    const thieves = times(40, () => {
      const browser = newBrowser()
      for (const [name, value] of thief.cookies) browser.cookies.set(name, value)
      return browser
    })
    const begun = performance.now()
    const counts = await flood(thieves, '/login', { ...member, password: 'wrong' })
    expectChecked(counts, limits.signInFreeFailures, begun)
  })

  it('a known browser of one account, or a forged one, is unknown to another', async () => {
    const [owner, other] = [await addMember('edsger'), await addMember('frances')]
    const browser = newBrowser()
    await canSignIn(browser, other)
    const known = browser.cookies.get('culvert.known_browser') ?? ''
    expect(known).toMatch(/^[\w-]{20}\.[\w-]{43}$/)
    // The state after a hundred failures.
    await canSignIn(newBrowser(), { ...owner, password: 'wrong' })
    setFailures(`account\0${owner.email}`, 300)
    for (const value of [known, `${'A'.repeat(20)}.${'A'.repeat(43)}`, 'nonsense', '']) {
      const intruder = newBrowser()
      intruder.cookies.set('culvert.known_browser', value)
      expect(await canSignIn(intruder, owner)).toBe(false)
    }
    forgetFailures()
    expect(await canSignIn(newBrowser(), owner)).toBe(true)
  })

  it('get the same answer, in the same time, whether the account exists or not', async () => {
    const { email } = await addMember('grace')
    const address = [nextAddress(), nextAddress()]
    for (let time = 0; time < 8; time += 1) {
      const answers = [email, 'nobody@example.com'].map((name, index) =>
        newBrowser(address[index]).post('/login', { email: name, password: 'wrong' }),
      )
      const [known, unknown] = await Promise.all(answers)
      expect(known?.status).toBe(unknown?.status)
    }
  })

  it('100 for 100 accounts from 100 networks at once are answered, and none with an error', async () => {
    const begun = performance.now()
    const browsers = times(100, () => newBrowser())
    const statuses = await Promise.all(
      browsers.map(async (browser, index) => {
        const answer = await browser.post('/login', { email: `spray${index}@example.com`, password: 'wrong' })
        return answer.status
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(performance.now() - begun).toBeLessThan(20_000)
  })
})

describe('guesses in the settings of a signed-in user', () => {
  it.each([
    ['change-password', { newPassword: 'an entirely new password' }],
    ['start-two-factor', {}],
    ['stop-two-factor', {}],
  ])('%s checks as many wrong passwords at once as one after another', async (action, fields) => {
    forgetFailures()
    const member = await addMember(`settings-${action}`)
    const browser = newBrowser()
    await canSignIn(browser, member)
    const begun = performance.now()
    const counts = await flood(
      times(40, () => browser),
      '/settings',
      { action, password: 'wrong', ...fields },
    )
    expectChecked(counts, limits.signInFreeFailures, begun)
    expect((counts[422] ?? 0) + (counts[429] ?? 0)).toBe(40)
  })

  it('is limited to addresses that fit into a QR code', async () => {
    const member = await addMember('niklaus')
    const browser = newBrowser()
    await canSignIn(browser, member)
    await browser.post('/settings', { action: 'start-two-factor', password: member.password })
    const uri = `otpauth://totp/Culvert?secret=${'A'.repeat(5_000)}`
    const { status } = await browser.post('/settings', {
      action: 'confirm-two-factor',
      uri,
      codes: '',
      code: '1',
    })
    expect(status).toBe(422)
  })
})

/** Browsers that have sent the password and are prompted for the second factor. */
async function halfSignIns(count: number, { email, password }: TestUser): Promise<HttpBrowser[]> {
  const browsers = times(count, () => newBrowser())
  for (let from = 0; from < count; from += limits.signInsAtOnce) {
    const batch = browsers.slice(from, from + limits.signInsAtOnce)
    await Promise.all(batch.map((browser) => browser.post('/login', { email, password })))
  }
  return browsers
}

describe('the second factor', () => {
  it('accepts a code once, also many times at once, and never the code of its setup', async () => {
    forgetFailures()
    const member = await addMember('hedy')
    const { secret, usedCode } = await switchOnSecondFactor(server.origin, member)
    const browsers = await halfSignIns(12, member)
    expect((await browsers[0]?.post('/login', { action: 'code', code: usedCode }))?.status).toBe(401)
    const code = totpCode(secret)
    await flood(browsers.slice(1, 9), '/login', { action: 'code', code })
    expect(browsers.filter((browser) => browser.isSignedIn())).toHaveLength(1)
    const [late] = await halfSignIns(1, member)
    await late?.post('/login', { action: 'code', code })
    expect(late?.isSignedIn()).toBe(false)
    await late?.post('/login', { action: 'code', code: totpCode(secret, Date.now() + 30_000) })
    expect(late?.isSignedIn()).toBe(true)
  })

  it('is locked after exactly ten wrong codes, of 40 at once each time, also for the right one and for recovery codes', async () => {
    forgetFailures()
    const member = await addMember('ida')
    const { secret, recoveryCodes } = await switchOnSecondFactor(server.origin, member)
    const browsers = await halfSignIns(8, member)
    const attempts = times(5, () => browsers).flat()
    // If all of a flood arrive while the first are checked, the others are not admitted: another one follows.
    const checkedPerFlood: number[] = []
    while (checkedPerFlood.at(-1) !== 0) {
      const counts = await flood(attempts, '/login', { action: 'code', code: '000000' })
      expect((counts[401] ?? 0) + (counts[429] ?? 0)).toBe(attempts.length)
      checkedPerFlood.push(counts[401] ?? 0)
    }
    expect(checkedPerFlood.reduce((sum, count) => sum + count)).toBe(limits.secondFactorFailures)
    for (const code of [totpCode(secret), recoveryCodes[0] ?? '']) {
      const answer = await browsers[0]?.post('/login', { action: 'code', code })
      expect([answer?.status, answer?.text]).toEqual([
        429,
        expect.stringContaining('Try again in 15 minutes'),
      ])
    }
  })

  it('accepts a recovery code once', async () => {
    forgetFailures()
    const member = await addMember('joan')
    const { recoveryCodes } = await switchOnSecondFactor(server.origin, member)
    const browsers = await halfSignIns(8, member)
    await flood(browsers, '/login', { action: 'code', code: recoveryCodes[0] ?? '' })
    expect(browsers.filter((browser) => browser.isSignedIn())).toHaveLength(1)
  })
})
