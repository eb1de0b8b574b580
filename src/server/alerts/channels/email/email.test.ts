import { createServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseSmtpUrl } from '#server/mail-settings.ts'
import {
  mailBounds,
  mailConnections,
  mailSenderOf,
  sendAlertMail,
  shortMailBounds,
  startMailReceiver,
} from '#test/alert-mails.ts'
import { alertMessage } from '#test/alert-messages.ts'
import { listenLocally } from '#test/listen-locally.ts'
import { createCertificate, smtpError } from '#test/smtp-receiver.ts'
import { deliverToDestination } from '../channels.ts'
import { createMailSender } from './mail-sender.ts'

const certificate = await createCertificate()
const knownAuthorities = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...knownAuthorities, certificate.cert]))
afterAll(() => setDefaultCACertificates(knownAuthorities))

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
  const port = await listenLocally(server)
  onTestFinished(() => void server.close())
  return port
}

describe('a mail server', () => {
  it('accepts a mail without TLS and login', async () => {
    const { port, mails } = await startMailReceiver()
    expect(await sendAlertMail(`smtp://localhost:${port}`)).toMatchObject({
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
    const { port, mails, logins } = await startMailReceiver({ ...certificate, allowInsecureAuth: false })
    expect((await sendAlertMail(`smtp://culvert:right@localhost:${port}`)).verdict).toBe('delivered')
    expect(mails[0]).toMatchObject({ isEncrypted: true, user: 'culvert' })
    expect(logins).toEqual(['culvert:right'])
  })

  it('accepts a mail by TLS from the start', async () => {
    const { port, mails } = await startMailReceiver({ ...certificate, secure: true })
    expect((await sendAlertMail(`smtps://culvert:right@localhost:${port}`)).verdict).toBe('delivered')
    expect(mails[0]).toMatchObject({ isEncrypted: true, user: 'culvert' })
  })

  it('receives no password without STARTTLS, unless the URL allows it', async () => {
    const { port, logins } = await startMailReceiver()
    const sender = (tls: string) => {
      const server = parseSmtpUrl(`smtp://culvert:right@mail.example:${port}${tls}`)
      if (server === undefined) throw new Error(tls)
      return createMailSender(
        { server: { ...server, host: 'localhost' }, from: 'culvert@culvert.example' },
        mailBounds,
      )
    }
    expect(await sender('').findProblem()).toMatch(
      /^The mail server localhost:[0-9]+ cannot be used: .*STARTTLS/i,
    )
    expect(logins).toEqual([])
    expect(await sender('?tls=optional').findProblem()).toBeUndefined()
    expect(logins).toEqual(['culvert:right'])
  })

  it('with an untrusted certificate receives nothing', async () => {
    const { port, mails, logins } = await startMailReceiver(await createCertificate())
    const answer = await sendAlertMail(`smtp://culvert:right@localhost:${port}`)
    expect(answer).toMatchObject({
      verdict: 'retry',
      answerExcerpt: expect.stringMatching(/certificate/) as string,
    })
    expect([mails, logins]).toEqual([[], []])
  })

  it('that rejects the login is retried: the recipient is not the cause', async () => {
    const { port } = await startMailReceiver()
    const answer = await sendAlertMail(`smtp://culvert:wrong@localhost:${port}`)
    expect(answer).toMatchObject({ verdict: 'retry', status: 535 })
    expect(JSON.stringify(answer)).not.toContain('wrong')
    expect(await mailSenderOf(`smtp://culvert:wrong@localhost:${port}`).findProblem()).toMatch(/535/)
  })

  it.each([
    [450, '4.2.1 mailbox busy', 'retry'],
    [451, '4.7.1 greylisted', 'retry'],
    [550, '5.1.1 no such user', 'disabled'],
    [550, '5.7.1 not allowed', 'rejected'],
    [553, '5.1.3 bad address', 'disabled'],
  ])('that answers a recipient with %i %s: %s', async (code, text, verdict) => {
    const { port } = await startMailReceiver({
      onRcptTo: (_address, _session, callback) => callback(smtpError(code, text)),
    })
    expect(await sendAlertMail(`smtp://localhost:${port}`)).toMatchObject({
      verdict,
      status: code,
      answerExcerpt: expect.stringContaining(text) as string,
    })
  })

  it('that rejects the sender is retried: the operator has to fix it', async () => {
    const { port } = await startMailReceiver({
      onMailFrom: (_address, _session, callback) => callback(smtpError(550, '5.7.1 sender not owned')),
    })
    expect(await sendAlertMail(`smtp://localhost:${port}`)).toMatchObject({ verdict: 'retry', status: 550 })
  })

  it.each([
    [452, 'retry'],
    [552, 'rejected'],
    [554, 'rejected'],
  ])('that answers the message with %i: %s', async (code, verdict) => {
    const { port } = await startMailReceiver({
      onData(stream, _session, callback) {
        stream.resume()
        stream.on('end', () => callback(smtpError(code, 'no')))
      },
    })
    expect(await sendAlertMail(`smtp://localhost:${port}`)).toMatchObject({ verdict, status: code })
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
  ])('that %s is retried', async (_, onConnection) => {
    const port = await startRawServer(onConnection)
    const answer = await sendAlertMail(`smtp://localhost:${port}`, alertMessage(), {
      bounds: shortMailBounds,
    })
    expect(answer.verdict).toBe('retry')
    expect(answer.answerExcerpt?.length ?? 0).toBeLessThanOrEqual(2_000)
  })

  it('that is not running is reported, and the mail remains pending', async () => {
    const url = 'smtp://localhost:1'
    expect((await sendAlertMail(url)).verdict).toBe('retry')
    expect(await mailSenderOf(url).findProblem()).toMatch(
      /^The mail server localhost:1 cannot be used: .*ECONNREFUSED/,
    )
  })
})

it('without a mail server is rejected, and the error names the missing settings', async () => {
  const answer = await deliverToDestination(
    alertMessage(),
    { id: 'd', kind: 'email', settings: { to: 'ops@example.com' } },
    { connections: mailConnections, deliveryId: 'a', now: () => 0 },
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
])('rejects the address %j', async (to) => {
  const answer = await deliverToDestination(
    alertMessage(),
    { id: 'd', kind: 'email', settings: { to } },
    { mail: mailSenderOf('smtp://localhost:1'), connections: mailConnections, deliveryId: 'a', now: () => 0 },
  )
  expect(answer.verdict).toBe('rejected')
  expect(answer.answerExcerpt).toMatch(/^The settings are not usable: to: Enter one/)
})
