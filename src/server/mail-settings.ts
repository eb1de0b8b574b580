/** The mail server, from `CULVERT_SMTP_URL`. */
export interface SmtpServer {
  host: string
  port: number
  /** TLS from the first byte (`smtps:`) instead of STARTTLS. */
  isTlsFromStart: boolean
  /** True: without STARTTLS no mail is sent, because the password would be readable on the network. */
  requiresTls: boolean
  user?: string
  password?: string
}

/** The settings of mail by SMTP. */
export interface MailSettings {
  server: SmtpServer
  /** `Culvert <culvert@example.com>`, or the address alone. */
  from: string
}

/** Ports for submission (RFC 8314). */
const submissionPort = 587
const tlsPort = 465

/**
 * Parses `smtp[s]://[USER:PASSWORD@]HOST[:PORT][?tls=optional]`. With a password and `smtp:`, STARTTLS is
 * required unless the server is this machine or with `tls=optional`. Undefined for any other URL.
 */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return undefined
  const isTlsFromStart = url.protocol === 'smtps:'
  const host = url.hostname.replaceAll(/^\[|\]$/g, '').toLowerCase()
  const tls = url.searchParams.get('tls') ?? 'required'
  if (host === '' || !/^\/?$/.test(url.pathname) || !/^(?:required|optional)$/.test(tls)) return undefined
  const user = decode(url.username)
  const password = decode(url.password)
  if (user === undefined || password === undefined || (user === '') !== (password === '')) return undefined
  const isThisMachine = /^(?:localhost|127\.[0-9.]+|::1)$/.test(host)
  return {
    host,
    port: url.port === '' ? (isTlsFromStart ? tlsPort : submissionPort) : Number(url.port),
    isTlsFromStart,
    requiresTls: !isTlsFromStart && password !== '' && !isThisMachine && tls === 'required',
    ...(user !== '' && { user, password }),
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** An address that mail is sent to or from: no lists, comments or line breaks (RFC 5321 §4.5.3.1). */
export function isMailAddress(text: string): boolean {
  const [, local = '', domain = ''] = /^([a-z0-9.!#$%&'*+/=?^_`{|}~-]+)@([a-z0-9.-]+)$/i.exec(text) ?? []
  return (
    local.length > 0 &&
    local.length <= 64 &&
    domain.length <= 255 &&
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i.test(domain)
  )
}

/** The address in `NAME <ADDRESS>` or `ADDRESS`; undefined if there is none. */
export function findMailAddress(text: string): string | undefined {
  const [, named] = /^[^<>\r\n]{0,200}<([^<>]+)>$/.exec(text.trim()) ?? []
  const address = named ?? text.trim()
  return isMailAddress(address) ? address : undefined
}
