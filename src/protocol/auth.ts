/** The authentication and client fields of a request. */
export interface AuthHeader {
  publicKey?: string
  /** Protocol version, currently `7`. Not validated here. */
  version?: string
  /** Name and version of the SDK: `sentry.javascript.node/10.75.2`. */
  client?: string
}

/** Maximum header length that is parsed. Real headers have fewer than 300 characters. */
const authHeaderCharacters = 2048

const scheme = /^\s*sentry\s+/i

/**
 * Parses an `X-Sentry-Auth` or `Authorization` header: `Sentry sentry_key=…, sentry_version=7,
 * sentry_client=…`.
 *
 * Undefined for another scheme (for example a proxy's `Basic`), which is not an error. Pairs may be separated
 * by commas, spaces or `&`, and values quoted; of a repeated name the first is used; `sentry_secret` and
 * `sentry_timestamp` are ignored, as in Sentry's own ingest.
 */
export function parseAuthHeader(text: string): AuthHeader | undefined {
  if (text.length > authHeaderCharacters || !scheme.test(text)) return undefined
  const pairs = new Map<string, string>()
  const joined = text.replace(scheme, '').replaceAll(/\s*=\s*/g, '=')
  for (const part of joined.split(/[,&\s]+/)) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals).toLowerCase()
    const value = part.slice(equals + 1).replace(/^"(.*)"$/, '$1')
    if (equals > 0 && value !== '' && !pairs.has(name)) pairs.set(name, value)
  }
  return {
    publicKey: pairs.get('sentry_key'),
    version: pairs.get('sentry_version'),
    client: pairs.get('sentry_client'),
  }
}

const basic = /^\s*basic\s+([A-Za-z\d+/]{43,800}={0,2})\s*$/i
const basicUser = /^([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?::|$)/i

/**
 * Reads the key from an `Authorization: Basic` header, where clients for crash dumps and OpenTelemetry send
 * it as the user name: 32 hex digits, or a UUID as in DSNs of GlitchTip. Undefined for other user names, such
 * as those for a proxy.
 */
export function parseBasicKey(text: string): string | undefined {
  const [, encoded] = basic.exec(text) ?? []
  if (encoded === undefined) return undefined
  try {
    return basicUser.exec(atob(encoded))?.[1]
  } catch {
    return undefined
  }
}
