import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '#server/limits.ts'

/**
 * Recognizes browsers that have signed in to an account before, by a cookie that is signed with the
 * installation's secret: failures of others do not delay them. The cookie proves nothing else, and does not
 * sign a user in.
 */
export interface KnownBrowsers {
  /** The `Set-Cookie` header for a browser that has just signed in. */
  remember(email: string): string
  /** The id of the browser if it has signed in to the account before. */
  find(cookieHeader: string | undefined, email: string): string | undefined
}

const cookiePattern = /^ *([^=]+)=([\w-]{20})\.([\w-]{43})$/

/** `isSecure`: the console is reached over TLS. */
export function createKnownBrowsers(secret: string, isSecure: boolean): KnownBrowsers {
  const name = `${isSecure ? '__Host-' : ''}culvert.known_browser`
  const key = createHmac('sha256', secret).update('known browser').digest()
  const sign = (id: string, email: string) => createHmac('sha256', key).update(`${id}\0${email}`).digest()
  const attributes = [
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${limits.knownBrowserMs / 1_000}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')

  return {
    remember(email) {
      const id = randomBytes(15).toString('base64url')
      return `${name}=${id}.${sign(id, email).toString('base64url')}; ${attributes}`
    },
    find(cookieHeader = '', email) {
      for (const cookie of cookieHeader.split(';')) {
        const [, cookieName, id = '', signature = ''] = cookiePattern.exec(cookie) ?? []
        if (cookieName !== name) continue
        if (timingSafeEqual(Buffer.from(signature, 'base64url'), sign(id, email))) return id
      }
      return undefined
    },
  }
}
