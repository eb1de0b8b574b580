import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { addUser } from '#test/session.ts'
import { openTestStore, testNow } from '#test/test-store.ts'
import { expectThroughout } from '#test/waiting.ts'
import { hourMs } from '#time/time-steps.ts'
import { createPasswordLinkMailer, type LinkMailProblem } from './password-link-mailer.ts'

const ada = { name: 'Ada', email: 'ada@example.com', password: 'a password for tests' }
const grace = { ...ada, name: 'Grace', email: 'grace@example.com' }
const busy = { text: '451 4.3.0 try again later', canRetry: true }
const rejected = { text: '550 5.1.1 no such user', canRetry: false }

/** A mailer for Ada and Grace. `answer`: the problem of a mail, by its URL. */
async function openMailer({
  answer = () => undefined,
  hasProvider = false,
  retriesMs,
}: {
  answer?: (url: string) => LinkMailProblem | undefined
  hasProvider?: boolean
  retriesMs?: readonly number[]
} = {}) {
  let now = testNow
  const store = await openTestStore({ clock: () => now })
  for (const user of [ada, grace]) await addUser(store, user)
  const logged: string[] = []
  const sent: { to: string; url: string }[] = []
  const mailer = createPasswordLinkMailer({
    store,
    log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
    origin: () => 'https://culvert.example',
    hasProvider,
    sender: {
      send: async (link) => {
        sent.push(link)
        return answer(link.url)
      },
      close: () => undefined,
    },
    // The tests call `deliver`, like a host that suspends instances.
    delayMs: hourMs,
    retriesMs,
  })
  onTestFinished(() => mailer.stop())
  return {
    store,
    mailer,
    sent,
    logged,
    advance: (ms: number) => void (now += ms),
    request: async (email: string) => {
      mailer.request(email)
      await mailer.deliver(60_000)
    },
    countLinks: () =>
      Number(store.connection.prepare('SELECT count(*) AS n FROM account_links').get()?.['n']),
  }
}

it('mails an account one link in five minutes, then at growing intervals', async () => {
  const { request, advance, sent } = await openMailer()
  const counts = []
  for (const waitMs of [0, 0, limits.passwordMailMs - 1, 1, limits.passwordMailMs, limits.passwordMailMs]) {
    advance(waitMs)
    await request(ada.email)
    counts.push(sent.length)
  }
  expect(counts).toEqual([1, 1, 1, 2, 2, 3])
  await request(grace.email)
  expect(sent.map(({ to }) => to)).toEqual([ada.email, ada.email, ada.email, grace.email])
})

it('deletes the earlier links of the account when the mail server has accepted a newer one', async () => {
  const { request, advance, countLinks } = await openMailer()
  await request(grace.email)
  for (let time = 0; time < 3; time += 1) {
    await request(ada.email)
    advance(limits.passwordMailMaxMs)
  }
  expect(countLinks()).toBe(2)
})

it('keeps an earlier link if the mail server does not accept the newer one, and tries again on request', async () => {
  const problems: LinkMailProblem[] = []
  const { request, advance, sent, logged, countLinks } = await openMailer({
    answer: (url) => problems.map(({ text }) => ({ text: `${text} ${url}`, canRetry: true }))[0],
  })
  await request(ada.email)
  advance(limits.passwordMailMs)
  problems.push({ text: '451 4.7.1 try again later', canRetry: true })
  await request(ada.email)
  expect([sent.length, countLinks()]).toEqual([2, 1])
  await request(grace.email)
  await request(grace.email)
  expect([sent.length, countLinks()]).toEqual([4, 1])
  expect(logged).toHaveLength(3)
  expect(logged[0]).toMatch(/451 4\.7\.1 .*\/password\/\[Filtered\]/)
  for (const { url } of sent) expect(logged.join('')).not.toContain(url.split('/').at(-1))
})

it('sends a mail that the mail server does not accept for now again, a few times', async () => {
  const answers = [busy, busy, undefined]
  const { request, sent, logged, countLinks } = await openMailer({
    answer: () => answers.shift(),
    retriesMs: [1, 1, 1, 1],
  })
  await request(ada.email)
  await expect.poll(() => [sent.length, countLinks(), logged.length]).toEqual([3, 1, 2])
  expect(new Set(sent.map(({ url }) => url)).size).toBe(3)
  answers.push(busy, busy, busy, busy, busy)
  await request(grace.email)
  await expect.poll(() => [sent.length, countLinks()]).toEqual([8, 1])
  await expectThroughout(200, () => expect(sent).toHaveLength(8))
})

it('sends a mail again after an unexpected failure', async () => {
  let failureCount = 0
  const { request, sent } = await openMailer({
    answer: () => {
      failureCount += 1
      if (failureCount === 1) throw new Error('the sender failed')
      return undefined
    },
    retriesMs: [1],
  })
  await request(ada.email)
  await expect.poll(() => sent.length).toBe(2)
})

it('mails one link if the user requests another one before the retry', async () => {
  const answers = [busy, undefined]
  const { request, sent, advance } = await openMailer({ answer: () => answers.shift(), retriesMs: [100] })
  await request(ada.email)
  await request(ada.email)
  advance(hourMs)
  await expectThroughout(300, () => expect(sent).toHaveLength(2))
})

it('does not repeat a mail that the address rejects', async () => {
  const { request, sent, countLinks } = await openMailer({ answer: () => rejected })
  await request(ada.email)
  await request(ada.email)
  expect([sent.length, countLinks()]).toEqual([1, 0])
})

it('continues after a failure', async () => {
  const { request, sent, logged } = await openMailer({
    answer: () => {
      throw new Error('the sender failed')
    },
  })
  await request(ada.email)
  await request(grace.email)
  expect([sent.length, logged.length]).toEqual([2, 2])
})

it('creates no password for an account that signs in only at the identity provider', async () => {
  const { request, store, sent } = await openMailer({ hasProvider: true })
  const { id } = await store.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', ada.email)
    .executeTakeFirstOrThrow()
  await store.writer.deleteFrom('credentials').where('user_id', '=', id).execute()
  await request(ada.email)
  await request(grace.email)
  expect(sent.map(({ to }) => to)).toEqual([grace.email])
})

it('works on waiting requests when the server ends, and drops requests above the limit', async () => {
  const { mailer, sent } = await openMailer()
  mailer.request(ada.email)
  for (let count = 0; count < limits.waitingPasswordMails; count += 1)
    mailer.request(`nobody${count}@example.com`)
  mailer.request(grace.email)
  expect(sent).toEqual([])
  await mailer.stop()
  expect(sent.map(({ to }) => to)).toEqual([ada.email])
})
