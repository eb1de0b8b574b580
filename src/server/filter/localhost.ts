import { findHeader } from '#server/normalize/fields/request.ts'
import type { FilterSubject } from './filter-subject.ts'

const localAddresses: ReadonlySet<string> = new Set(['127.0.0.1', '::1'])

/** Headers that contain a host, for events without a URL. */
const hostHeaders = ['host', 'x-forwarded-host', 'origin', 'referer'] as const

/** True for an event of a developer's machine: by the user's address, the page's URL, or the server. */
export function isFromLocalhost({ request, serverName, user }: FilterSubject): boolean {
  if (user?.ipAddress !== undefined && localAddresses.has(user.ipAddress)) return true
  const forwardedFor = findHeader(request, 'x-forwarded-for')
  if (forwardedFor !== undefined && localAddresses.has(forwardedFor.trim())) return true
  if (serverName === 'localhost') return true
  if (request?.url !== undefined) return isLocalAddress(request.url)
  return hostHeaders.some((name) => {
    const value = findHeader(request, name)
    return value !== undefined && isLocalAddress(value.includes('://') ? value : `http://${value}`)
  })
}

function isLocalAddress(address: string): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  const { hostname, protocol } = url
  return (
    protocol === 'file:' ||
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '127.0.0.1' ||
    hostname === '[::1]'
  )
}
