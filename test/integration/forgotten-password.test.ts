import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createHttpBrowser } from '#test/http-browser.ts'
import { exchangeRaw } from '#test/raw-exchange.ts'
import { addUser, type TestUser } from '#test/session.ts'
import { parseMail, startSmtpReceiver, type SmtpReceiver } from '#test/smtp-receiver.ts'
import type { TestServer } from '#test/start-server.ts'
import { startConsole } from '#test/test-console.ts'

// Five and a half seconds of processor time: two servers, 110 forms, and the passwords of seven accounts.
const publicOrigin = 'http://console.example:8080'
const newPassword = 'quite another long word'
const sentText = 'If an account with this address exists, a link has been sent.'

let server: TestServer
let receiver: SmtpReceiver

beforeAll(async () => {
  receiver = await startSmtpReceiver()
  server = await startConsole({
    variables: {
      CULVERT_ORIGIN: publicOrigin,
      CULVERT_SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
      CULVERT_MAIL_FROM: 'Culvert <culvert@culvert.example>',
    },
  })
  await addUser(server.services.store)
}, 120_000)
afterAll(async () => {
  await server.stop()
  await receiver.close()
})

async function addMember(name: string): Promise<TestUser> {
  const member = { name, email: `${name}@example.com`, password: `the long word of ${name}` }
  await addUser(server.services.store, member, 'member')
  return member
}

let networkCount = 0
/** A browser in a network of its own. */
function newBrowser(address = `203.0.113.${(networkCount += 1)}`) {
  return createHttpBrowser(server.origin, address)
}

const request = (email: string) => newBrowser().post('/forgot-password', { email })

const mailsTo = (email: string) => receiver.mails.filter(({ to }) => to.includes(email))

/** Requests a link and returns its address. Requests are worked on in order. */
async function requestLink(email: string): Promise<string> {
  const count = mailsTo(email).length
  await request(email)
  await expect.poll(() => mailsTo(email).length, { timeout: 10_000 }).toBe(count + 1)
  return linkOf(mailsTo(email).at(-1)?.raw ?? '')
}

function linkOf(raw: string): string {
  return /http\S+\/password\/\S+/.exec(parseMail(raw).text)?.[0] ?? ''
}

const pathOf = (link: string) => new URL(link).pathname

/** What a page shows. */
const cardOf = (html: string) => /<section class="account-card"[^]*?<\/section>/.exec(html)?.[0] ?? ''

async function isIn(user: TestUser): Promise<boolean> {
  const browser = newBrowser()
  await browser.post('/login', { email: user.email, password: user.password })
  return browser.isSignedIn()
}

/** Ends the intervals between mails and requests. */
const forgetRequests = () => server.services.store.writer.deleteFrom('sign_in_failures').execute()

/** Posts the form with a host name of the client's choice, as a browser cannot. */
function postFrom(host: string, email: string): Promise<string> {
  const body = new URLSearchParams({ email }).toString()
  const head = [
    'POST /forgot-password HTTP/1.1',
    `Host: ${host}`,
    'X-Forwarded-Host: evil.example',
    `Origin: http://${host}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  return exchangeRaw(server.origin, [...head, '', body].join('\r\n'))
}

describe('a forgotten password', () => {
  it('is replaced through a mailed link, which ends every session and works once', async () => {
    const member = await addMember('barbara')
    const before = newBrowser()
    await before.post('/login', { email: member.email, password: member.password })
    expect((await newBrowser().open('/login')).text).toContain('href="/forgot-password"')

    const asked = await request(' Barbara@Example.com ')
    expect([asked.status, asked.path]).toEqual([200, '/login?step=link-sent'])
    expect(asked.text).toContain(sentText)
    await expect.poll(() => mailsTo(member.email).length, { timeout: 10_000 }).toBe(1)
    const { headers, text, html } = parseMail(mailsTo(member.email)[0]?.raw ?? '')
    expect(headers.get('subject')).toEqual(['Set a new password for Culvert'])
    expect(headers.get('auto-submitted')).toEqual(['auto-generated'])
    const link = linkOf(mailsTo(member.email)[0]?.raw ?? '')
    expect(link).toMatch(/^http:\/\/console\.example:8080\/password\/[\w-]{32}$/)
    expect(html).toContain(`href="${link}"`)
    expect(text).toContain('The link works once, within 4 hours.')

    const changed = await newBrowser().post(pathOf(link), { password: newPassword })
    expect(changed.path).toBe('/login?step=new-password')
    expect((await before.open('/issues')).path).toMatch(/^\/login/)
    expect([await isIn(member), await isIn({ ...member, password: newPassword })]).toEqual([false, true])
    const again = await newBrowser().post(pathOf(link), { password: 'a third long word' })
    expect(again.status).toBe(410)
    expect((await newBrowser().open(pathOf(link))).text).toContain('Request a new link')
  })

  it('the link contains the configured origin, whatever host the request names', async () => {
    const member = await addMember('claude')
    expect(await postFrom('evil.example', member.email)).toMatch(/^HTTP\/1\.1 421/)
    expect(await postFrom('localhost:6666', member.email)).toMatch(/^HTTP\/1\.1 303/)
    await expect.poll(() => mailsTo(member.email).length, { timeout: 10_000 }).toBe(1)
    const [mail] = mailsTo(member.email)
    expect(linkOf(mail?.raw ?? '')).toMatch(/^http:\/\/console\.example:8080\//)
    expect(mail?.raw).not.toMatch(/evil|6666/)
  })

  it('the link no longer works after its time', async () => {
    const member = await addMember('dorothy')
    const link = await requestLink(member.email)
    await server.services.store.writer.updateTable('account_links').set({ expires_at: Date.now() }).execute()
    expect((await newBrowser().open(pathOf(link))).text).toContain('Link expired')
    expect((await newBrowser().post(pathOf(link), { password: newPassword })).status).toBe(410)
    expect(await isIn(member)).toBe(true)
  })

  it('a newer link replaces the earlier ones', async () => {
    const member = await addMember('edsger')
    const earlier = await requestLink(member.email)
    await forgetRequests()
    const newer = await requestLink(member.email)
    const findAnswer = async () =>
      (await newBrowser().post(pathOf(earlier), { password: newPassword })).status
    await expect.poll(findAnswer).toBe(410)
    expect((await newBrowser().post(pathOf(newer), { password: newPassword })).path).toBe(
      '/login?step=new-password',
    )
  })
})

describe('requests for a link', () => {
  it('are answered equally with and without an account, and only accounts get mail', async () => {
    const member = await addMember('frances')
    const answers = [await request('nobody@example.com'), await request(member.email)]
    const [unknown, known] = answers.map(({ status, path, text }) => ({ status, path, card: cardOf(text) }))
    expect(unknown?.card).toContain(sentText)
    expect(unknown).toEqual(known)
    await expect.poll(() => mailsTo(member.email).length, { timeout: 10_000 }).toBe(1)
    expect(mailsTo('nobody@example.com')).toEqual([])
  })

  it('of one account cause one mail, from however many networks', async () => {
    const [member, last] = [await addMember('grace'), await addMember('hedy')]
    await Promise.all(Array.from({ length: 10 }, () => request(member.email)))
    await requestLink(last.email)
    expect(mailsTo(member.email)).toHaveLength(1)
  })

  it.each([
    ['one address', limits.linkFreeRequests, () => 'nobody@example.com'],
    ['many addresses', limits.linkFreeRequestsPerNetwork, (number: number) => `n${number}@example.com`],
  ])('for %s from one network are delayed, and its sign-ins are not', async (name, free, addressOf) => {
    const address = name === 'one address' ? '198.51.100.1' : '198.51.100.2'
    const begun = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, number) =>
        newBrowser(address).post('/forgot-password', { email: addressOf(number) }),
      ),
    )
    const admitted = answers.filter(({ status }) => status === 200).length
    const others = answers.filter(({ status }) => status === 429)
    expect(admitted).toBeGreaterThanOrEqual(free)
    // Further ones were due after 1, 2, 4, … seconds.
    expect(admitted).toBeLessThanOrEqual(
      free + Math.floor(Math.log2((performance.now() - begun) / 1_000 + 1)),
    )
    expect(others.length).toBe(25 - admitted)
    for (const { text } of others) expect(text).toContain('Too many requests. Try again in')
    const signIn = await newBrowser(address).post('/login', { email: 'ada@example.com', password: 'wrong' })
    expect(signIn.status).toBe(401)
  })

  it('are rejected without an address', async () => {
    for (const email of [
      '',
      'nobody',
      'a@example.com, b@example.com',
      'a@example.com\r\nBcc: b@example.com',
    ]) {
      const answer = await request(email)
      expect([answer.status, answer.path]).toEqual([422, '/forgot-password'])
      expect(answer.text).toContain('Enter an email address')
    }
  })
})

it('without a mail server, the operator is the one to ask', async () => {
  const silent = await startConsole()
  try {
    await addUser(silent.services.store)
    const browser = createHttpBrowser(silent.origin)
    const page = await browser.open('/login')
    expect(page.text).toContain('Ask the operator of this server for a link to set a new one.')
    expect(page.text).not.toContain('forgot-password')
    expect((await browser.open('/forgot-password')).text).toContain('Ask the operator of this server')
    const answer = await browser.post('/forgot-password', { email: 'ada@example.com' })
    expect(answer.status).toBe(404)
  } finally {
    await silent.stop()
  }
})
