/** A DSN, the URL with the key for an SDK: `https://publicKey@host:port/prefix/projectId`. */
export interface Dsn {
  protocol: 'http' | 'https'
  publicKey: string
  /** Host name or address, with the port if given: `errors.example.com:8000`. */
  host: string
  /** Empty, or a prefix that begins with a slash and does not end with one: `/sentry`. */
  path: string
  /** Decimal digits. A string, because other installations use ids beyond 2^53. */
  projectId: string
}

/** Maximum length of a parsed DSN. Real ones have fewer than 200 characters. */
const dsnCharacters = 1024

const dsnShape =
  /^(https?):\/\/([\w-]{1,64})(?::[\w-]*)?@([^/?#@\s\\]+)((?:\/[^/?#@\s\\]+)*)\/(\d{1,20})\/?$/i

/**
 * Parses a DSN; undefined for other texts.
 *
 * A secret key after the public one (SDKs before 2018) is dropped; it was never needed to send events.
 */
export function parseDsn(text: string): Dsn | undefined {
  if (text.length > dsnCharacters) return undefined
  const match = dsnShape.exec(text.trim())
  if (match === null) return undefined
  const [, protocol, publicKey, host, path, projectId] = match
  if (publicKey === undefined || host === undefined || path === undefined || projectId === undefined) {
    return undefined
  }
  return {
    protocol: protocol?.toLowerCase() === 'http' ? 'http' : 'https',
    publicKey,
    host: host.toLowerCase(),
    path,
    projectId,
  }
}

/** Formats a DSN for SDKs, without a secret key. */
export function formatDsn(dsn: Dsn): string {
  return `${dsn.protocol}://${dsn.publicKey}@${dsn.host}${dsn.path}/${dsn.projectId}`
}
