import type { Event } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import { cutText } from './text.ts'

/**
 * Who an event happened to, as one text by which users are told apart: `id:7`, `username:jo`, `email:jo@example.com`,
 * `ip:192.0.2.7`; undefined when the event names nobody. The first one known counts, in this order (Sentry's).
 */
export function userIdentity(event: Event): string | undefined {
  const { id, username, email, ipAddress } = event.user ?? {}
  const identity =
    prefixed('id', id) ??
    prefixed('username', username) ??
    prefixed('email', email) ??
    prefixed('ip', ipAddress)
  return identity === undefined ? undefined : cutText(identity, limits.tagValueCharacters)
}

function prefixed(kind: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${kind}:${value}`
}
