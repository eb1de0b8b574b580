import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { createTempDir } from './temp-dir.ts'

/** A mail as the server received it. */
export interface ReceivedMail {
  from: string
  to: string[]
  /** The message with its headers. */
  raw: string
  isEncrypted: boolean
  user?: string
}

/** A mail server that records. */
export interface SmtpReceiver {
  port: number
  mails: ReceivedMail[]
  /** Received user names and passwords. */
  logins: string[]
  close(): Promise<void>
}

/** The answer to a step of the conversation: a code and its text. */
export function smtpError(code: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: code })
}

/** Starts a mail server on this machine, on any port. Without a certificate it has no STARTTLS. */
export async function startSmtpReceiver(options: SMTPServerOptions = {}, port = 0): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = []
  const logins: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    ...(options.key === undefined && { disabledCommands: ['STARTTLS'] }),
    allowInsecureAuth: true,
    onAuth({ username = '', password = '' }, _, callback) {
      logins.push(`${username}:${password}`)
      if (password === 'right') callback(null, { user: username })
      else callback(smtpError(535, '5.7.8 Error: authentication failed'))
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
          isEncrypted: session.secure,
          user: session.user === undefined ? undefined : String(session.user),
        })
        callback(null, '2.0.0 Ok: queued as 4QX')
      })
    },
    ...options,
  })
  // Clients that disconnect are part of the tests.
  server.on('error', () => undefined)
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    mails,
    logins,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

/** A key and a self-signed certificate for `localhost`. PEM. */
export async function createCertificate(): Promise<{ key: string; cert: string }> {
  const folder = await createTempDir()
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')]
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', [...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const pem = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  await folder.remove()
  return pem
}

/** A parsed mail: headers by lower-case name, and its text and HTML. */
export interface ParsedMail {
  headers: Map<string, string[]>
  text: string
  html: string
}

/** Parses a mail of two parts, as Culvert sends them. */
export function parseMail(raw: string): ParsedMail {
  const { headers, body } = splitHead(raw)
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '') ?? []
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => decodePart(part.replace(/^\r\n/, '')))
  return { headers, text: parts[0] ?? '', html: parts[1] ?? '' }
}

function splitHead(raw: string) {
  const end = raw.indexOf('\r\n\r\n')
  const headers = new Map<string, string[]>()
  for (const line of raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? []
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), decodeWords(value)])
  }
  return { headers, body: raw.slice(end + 4) }
}

function decodePart(part: string): string {
  const { headers, body } = splitHead(part)
  const encoding = headers.get('content-transfer-encoding')?.[0]
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  return decodeQuoted(body.replaceAll('=\r\n', ''))
}

function decodeQuoted(text: string): string {
  return Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
}

/** Encoded words of RFC 2047. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?(q|b)\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeQuoted(text.replaceAll('_', ' ')),
    )
}
