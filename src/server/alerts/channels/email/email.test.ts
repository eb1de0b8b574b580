import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { AlertMessage } from '#server/alerts/message.ts'
import { UpstreamConnections } from '#server/forward/connection.ts'
import { parseSmtpUrl } from '#server/mail-settings.ts'
import {
  alertIssue,
  alertItem,
  alertMessage,
  alertOrigin,
  listMessage,
} from '../../../../../test/support/alert-messages.ts'
import { hostileTitles } from '../../../../../test/support/hostile-titles.ts'
import { findBareLinks, readHtml } from '../../../../../test/support/shown-text.ts'
import {
  createCertificate,
  parseMail,
  smtpError,
  startSmtpReceiver,
} from '../../../../../test/support/smtp-receiver.ts'
import { deliverToDestination } from '../channels.ts'
import { createMailSender } from './mail-sender.ts'

const certificate = await createCertificate()
const knownAuthorities = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...knownAuthorities, certificate.cert]))
afterAll(() => setDefaultCACertificates(knownAuthorities))

const bounds = { connectMs: 1_000, silenceMs: 1_000, timeoutMs: 2_000 }

function senderOf(url: string) {
  const server = parseSmtpUrl(url)
  if (server === undefined) throw new Error(url)
  return createMailSender({ server, from: 'Culvert <culvert@culvert.example>' }, bounds)
}

const connections = new UpstreamConnections({ allowsPrivate: false })

function sendTo(url: string, message: AlertMessage = alertMessage(), deliveryId = 'delivery-1') {
  const destination = { id: 'd1', kind: 'email', settings: { to: 'ops@example.com' } }
  return deliverToDestination(message, destination, {
    mail: senderOf(url),
    connections,
    deliveryId,
    now: () => 0,
  })
}

async function startReceiver(options: Parameters<typeof startSmtpReceiver>[0] = {}) {
  const receiver = await startSmtpReceiver(options)
  onTestFinished(() => receiver.close())
  return receiver
}

/** A server that sends these lines at each step and nothing else. */
async function startRawServer(
  onConnection: (write: (line: string) => void, end: () => void) => (line: string) => void,
) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const handle = onConnection(
      (line) => void socket.write(`${line}\r\n`),
      () => void socket.destroy(),
    )
    socket.on('data', (bytes: Buffer) => {
      for (const line of bytes
        .toString('latin1')
        .split('\r\n')
        .filter((each) => each !== ''))
        handle(line)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

describe('a mail server', () => {
  it('accepts a mail without TLS and login', async () => {
    const { port, mails } = await startReceiver()
    expect(await sendTo(`smtp://localhost:${port}`)).toMatchObject({
      verdict: 'delivered',
      status: 250,
      answerExcerpt: expect.stringContaining('queued as 4QX') as string,
    })
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({
      from: 'culvert@culvert.example',
      to: ['ops@example.com'],
      isEncrypted: false,
    })
  })

  it('accepts a mail by STARTTLS with a login', async () => {
    const { port, mails, logins } = await startReceiver({ ...certificate, allowInsecureAuth: false })
    expect((await sendTo(`smtp://culvert:right@localhost:${port}`)).verdict).toBe('delivered')
    expect(mails[0]).toMatchObject({ isEncrypted: true, user: 'culvert' })
    expect(logins).toEqual(['culvert:right'])
  })

  it('accepts a mail by TLS from the start', async () => {
    const { port, mails } = await startReceiver({ ...certificate, secure: true })
    expect((await sendTo(`smtps://culvert:right@localhost:${port}`)).verdict).toBe('delivered')
    expect(mails[0]).toMatchObject({ isEncrypted: true, user: 'culvert' })
  })

  it('gets no password without STARTTLS, unless the URL allows it', async () => {
    const { port, logins } = await startReceiver()
    const sender = (tls: string) => {
      const server = parseSmtpUrl(`smtp://culvert:right@mail.example:${port}${tls}`)
      if (server === undefined) throw new Error(tls)
      return createMailSender(
        { server: { ...server, host: 'localhost' }, from: 'culvert@culvert.example' },
        bounds,
      )
    }
    expect(await sender('').findProblem()).toMatch(
      /^The mail server localhost:[0-9]+ cannot be used: .*STARTTLS/i,
    )
    expect(logins).toEqual([])
    expect(await sender('?tls=optional').findProblem()).toBeUndefined()
    expect(logins).toEqual(['culvert:right'])
  })

  it('with an untrusted certificate gets nothing', async () => {
    const { port, mails, logins } = await startReceiver(await createCertificate())
    const answer = await sendTo(`smtp://culvert:right@localhost:${port}`)
    expect(answer).toMatchObject({
      verdict: 'retry',
      answerExcerpt: expect.stringMatching(/certificate/) as string,
    })
    expect([mails, logins]).toEqual([[], []])
  })

  it('that rejects the login is tried again: the recipient is not the cause', async () => {
    const { port } = await startReceiver()
    const answer = await sendTo(`smtp://culvert:wrong@localhost:${port}`)
    expect(answer).toMatchObject({ verdict: 'retry', status: 535 })
    expect(JSON.stringify(answer)).not.toContain('wrong')
    expect(await senderOf(`smtp://culvert:wrong@localhost:${port}`).findProblem()).toMatch(/535/)
  })

  it.each([
    [450, '4.2.1 mailbox busy', 'retry'],
    [451, '4.7.1 greylisted', 'retry'],
    [550, '5.1.1 no such user', 'disabled'],
    [550, '5.7.1 not allowed', 'rejected'],
    [553, '5.1.3 bad address', 'disabled'],
  ])('that answers a recipient with %i %s: %s', async (code, text, verdict) => {
    const { port } = await startReceiver({
      onRcptTo: (_address, _session, callback) => callback(smtpError(code, text)),
    })
    expect(await sendTo(`smtp://localhost:${port}`)).toMatchObject({
      verdict,
      status: code,
      answerExcerpt: expect.stringContaining(text) as string,
    })
  })

  it('that rejects the sender is tried again: the operator has to fix it', async () => {
    const { port } = await startReceiver({
      onMailFrom: (_address, _session, callback) => callback(smtpError(550, '5.7.1 sender not owned')),
    })
    expect(await sendTo(`smtp://localhost:${port}`)).toMatchObject({ verdict: 'retry', status: 550 })
  })

  it.each([
    [452, 'retry'],
    [552, 'rejected'],
    [554, 'rejected'],
  ])('that answers the message with %i: %s', async (code, verdict) => {
    const { port } = await startReceiver({
      onData(stream, _session, callback) {
        stream.resume()
        stream.on('end', () => callback(smtpError(code, 'no')))
      },
    })
    expect(await sendTo(`smtp://localhost:${port}`)).toMatchObject({ verdict, status: code })
  })

  it.each<[string, Parameters<typeof startRawServer>[0]]>([
    ['sends no greeting', () => () => undefined],
    [
      'hangs up at once',
      (_write, end) => {
        end()
        return () => undefined
      },
    ],
    [
      'is busy',
      (write) => {
        write('421 4.3.2 too many connections')
        return () => undefined
      },
    ],
    [
      'is no mail server',
      (write) => {
        write('HTTP/1.1 400 Bad Request')
        return () => undefined
      },
    ],
    [
      'hangs after the recipient',
      (write) => {
        write('220 here')
        return (line) => {
          if (!line.startsWith('RCPT')) write('250 ok')
        }
      },
    ],
    [
      'hangs up after the message',
      (write, end) => {
        write('220 here')
        return (line) => {
          if (line === '.') end()
          else if (line === 'DATA') write('354 go on')
          else if (/^(?:EHLO|MAIL|RCPT)/.test(line)) write('250 ok')
        }
      },
    ],
    [
      'writes an endless line',
      (write) => {
        write('220 here')
        return () => write('x'.repeat(100_000))
      },
    ],
  ])('that %s is asked again', async (_, onConnection) => {
    const port = await startRawServer(onConnection)
    const answer = await sendTo(`smtp://localhost:${port}`)
    expect(answer.verdict).toBe('retry')
    expect(answer.answerExcerpt?.length ?? 0).toBeLessThanOrEqual(2_000)
  })

  it('that is not running is reported, and the mail waits', async () => {
    const url = 'smtp://localhost:1'
    expect((await sendTo(url)).verdict).toBe('retry')
    expect(await senderOf(url).findProblem()).toMatch(
      /^The mail server localhost:1 cannot be used: .*ECONNREFUSED/,
    )
  })
})

describe('a mail', () => {
  it('is in one thread per issue, with one subject and a unique id', async () => {
    const { port, mails } = await startReceiver()
    const url = `smtp://localhost:${port}`
    await sendTo(url, alertMessage(), 'one')
    await sendTo(url, alertMessage({ items: [alertItem(1, { transition: 'regressed' })] }), 'two')
    await sendTo(url, alertMessage({ threadKey: 'issue-2' }), 'three')
    const [first, second, other] = mails.map(({ raw }) => parseMail(raw).headers)
    expect(first?.get('message-id')).toEqual(['<one@culvert.example>'])
    expect(second?.get('message-id')).toEqual(['<two@culvert.example>'])
    expect(first?.get('subject')).toEqual(second?.get('subject'))
    expect(first?.get('subject')).toEqual([
      `[Shop] SHOP-1 TypeError: cannot read properties of undefined (reading 'price')`,
    ])
    for (const name of ['references', 'in-reply-to']) {
      expect(first?.get(name)).toEqual([expect.stringMatching(/^<thread-[0-9a-f]{32}@culvert\.example>$/)])
      expect(second?.get(name)).toEqual(first?.get(name))
      expect(other?.get(name)).not.toEqual(first?.get(name))
    }
  })

  it('can be ended with one click, and is answered by no machine', async () => {
    const { port, mails } = await startReceiver()
    const { urls } = alertMessage()
    const unsubscribe = `${alertOrigin}/unsubscribe/TOKEN`
    await sendTo(`smtp://localhost:${port}`, alertMessage({ urls: { ...urls, unsubscribe } }))
    const { headers, text, html } = parseMail(mails[0]?.raw ?? '')
    expect(headers.get('list-unsubscribe')).toEqual([`<${unsubscribe}>`])
    expect(text).toContain(`Unsubscribe:\r\n${unsubscribe}`)
    expect(html).toContain(`href="${unsubscribe}"`)
    expect(headers.get('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click'])
    expect(headers.get('auto-submitted')).toEqual(['auto-generated'])
    expect(headers.get('list-id')).toEqual([
      expect.stringMatching(/^Example Ltd shop <[0-9a-f]{12}\.alerts\.culvert\.example>$/),
    ])
  })

  it('over http has no one-click header, which needs https', async () => {
    const { port, mails } = await startReceiver()
    await sendTo(
      `smtp://localhost:${port}`,
      alertMessage({ urls: { mute: '', rule: '', list: '', unsubscribe: 'http://10.0.0.1/end' } }),
    )
    const { headers } = parseMail(mails[0]?.raw ?? '')
    expect(headers.get('list-unsubscribe')).toEqual(['<http://10.0.0.1/end>'])
    expect(headers.has('list-unsubscribe-post')).toBe(false)
  })

  it('has the same content as text and as HTML', async () => {
    const { port, mails } = await startReceiver()
    await sendTo(`smtp://localhost:${port}`, { ...listMessage(12), moreCount: 30 })
    const { text, html } = parseMail(mails[0]?.raw ?? '')
    for (const part of [text, html]) {
      expect(part).toContain('42 alerts in Shop')
      expect(part).toContain('and 32 more')
      expect(part).toContain('Rule: New issues')
      expect(part).toContain(`${alertOrigin}/issues/10`)
      expect(part).not.toContain(`${alertOrigin}/issues/11`)
    }
  })

  it.each([...hostileTitles.entries()])('treats the hostile title %i as text', async (_, title) => {
    const { port, mails } = await startReceiver()
    await expectSafeMails(port, title)
    expect(mails).toHaveLength(2)
    for (const { raw, to } of mails) checkMail(raw, to)
  })

  it('accepts any text', async () => {
    const { port, mails } = await startReceiver()
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[<>@"'&:/.\r\n\t aé=?]{0,40}$/))
    await fc.assert(
      fc.asyncProperty(texts, async (title) => {
        mails.length = 0
        await expectSafeMails(port, title)
        for (const { raw, to } of mails) checkMail(raw, to)
      }),
      { numRuns: 25 },
    )
  })
})

async function expectSafeMails(port: number, title: string): Promise<void> {
  const issue = alertIssue(1, {
    title,
    culprit: title,
    environment: title,
    release: title,
    assignee: title,
    level: title,
  })
  const single = alertMessage({
    items: [alertItem(1, { issue })],
    organization: title,
    project: { slug: 'shop', name: title },
    rules: [{ name: title, url: alertOrigin }],
  })
  for (const message of [single, listMessage(12, title)])
    expect((await sendTo(`smtp://localhost:${port}`, message)).verdict).toBe('delivered')
}

const headerNames = new Set(
  `from to subject message-id in-reply-to references date mime-version content-type list-id list-unsubscribe
  list-unsubscribe-post auto-submitted x-auto-response-suppress precedence`.split(/\s+/),
)

/** Throws for a header that Culvert does not write, a second recipient, markup or a link of an event. */
function checkMail(raw: string, to: readonly string[]): void {
  const { headers, text, html } = parseMail(raw)
  expect(to).toEqual(['ops@example.com'])
  expect(headers.get('to')).toEqual(['ops@example.com'])
  expect([...headers.keys()].filter((name) => !headerNames.has(name))).toEqual([])
  expect([...headers.values()].filter((values) => values.length > 1)).toEqual([])
  for (const line of raw.slice(0, raw.indexOf('\r\n\r\n')).split('\r\n'))
    expect(line.length).toBeLessThanOrEqual(998)
  const { links } = readHtml(
    html.replace(/<style>[^]*?<\/style>/, ''),
    /^<(?:!doctype html|\/?(?:html|head|body|meta|title|div|h1|p|a|table|tr|td|span|tbody)(?: [a-z-]+="[^"<>]*")*)>$/,
  )
  const foreign = [...links, ...findBareLinks(text)].filter((link) => !link.startsWith(alertOrigin))
  expect(foreign).toEqual([])
}

it('without a mail server is rejected, and the error names the missing settings', async () => {
  const answer = await deliverToDestination(
    alertMessage(),
    { id: 'd', kind: 'email', settings: { to: 'ops@example.com' } },
    { connections, deliveryId: 'a', now: () => 0 },
  )
  expect(answer).toMatchObject({
    verdict: 'rejected',
    answerExcerpt: expect.stringContaining('CULVERT_SMTP_URL') as string,
  })
})

it.each([
  '',
  'ops',
  'ops@',
  '@example.com',
  'a@b@c',
  'a@b.c, d@e.f',
  'Ops <ops@example.com>',
  'ops@example.com\r\nBcc: x@evil.example',
  'ops@exa mple.com',
  `${'a'.repeat(65)}@example.com`,
])('takes no address %j', async (to) => {
  const answer = await deliverToDestination(
    alertMessage(),
    { id: 'd', kind: 'email', settings: { to } },
    { mail: senderOf('smtp://localhost:1'), connections, deliveryId: 'a', now: () => 0 },
  )
  expect(answer.verdict).toBe('rejected')
  expect(answer.answerExcerpt).toMatch(/^The settings are not usable: to: Enter one/)
})
