/** The parts of a URL that identify the requested resource, without values. */
export interface UrlParts {
  /** `GET`; empty if the text does not begin with a method. */
  method: string
  /** `https://api.example.com:8443`; empty for a path. */
  host: string
  /** Without query and fragment. */
  path: string
}

const parts = /^(?:([A-Z]{3,10}) +)?(?:(https?|wss?):\/\/(?:[^/?#@]*@)?([^/?#]*))?([^?#]*)/
const ipAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-fA-F:.]+\])(:\d+)?$/

/** Splits `GET https://host/path?query`: method and host may be missing. */
export function splitUrl(text: string): UrlParts {
  const [, method = '', scheme = '', host = '', path = ''] = parts.exec(text) ?? []
  const isLocal = /^(?:127\.0\.0\.1|\[::1\])(?::|$)/.test(host)
  const shownHost = isLocal ? host : host.replace(ipAddress, '*.*.*.*$1')
  return { method, host: host === '' ? '' : `${scheme}://${shownHost.toLowerCase()}`, path }
}

/** Replaces the segments of a path that look like ids by `*`: `/users/*`. */
export function parametrizePath(path: string): string {
  return path
    .split('/')
    .map((segment) => (isId(segment) ? '*' : segment))
    .join('/')
}

/** True for a segment of a path that varies between requests. Relay's rules: two digits, or hex. */
export function isId(segment: string): boolean {
  if (segment.length > 48) return true
  // Numbers, dates, UUIDs and hashes have two digits or more.
  if (/\d[^\d]*\d/.test(segment) || /^\d+$/.test(segment)) return true
  return segment.length >= 16 && /^[0-9a-f-]+$/i.test(segment)
}
