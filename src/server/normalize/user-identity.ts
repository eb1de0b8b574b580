import type { Event } from '#protocol/event.ts'
import type { PromotedTagKey } from '#protocol/promoted-tags.ts'
import { limits } from '#server/limits.ts'
import { cutText } from './text.ts'

/**
 * The affected user as one text: `id:7`, `username:jo`, `email:jo@example.com`, `ip:192.0.2.7`; undefined if
 * the event has no user. The first known field counts, in this order (Sentry's).
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

/**
 * The other known fields of an event's user, by their search keys: `user.username`, `user.email`, `user.ip`.
 * Without the field in the identity, which is searched there.
 */
export function furtherUserNames(event: Event): [key: UserTagKey, value: string][] {
  const { id, username, email, ipAddress } = event.user ?? {}
  const names: [key: UserTagKey, value: string | undefined][] = [
    ['user.id', id],
    ['user.username', username],
    ['user.email', email],
    ['user.ip', ipAddress],
  ]
  return names.filter((name): name is [UserTagKey, string] => name[1] !== undefined).slice(1)
}

type UserTagKey = Extract<PromotedTagKey, `user.${string}`>

function prefixed(kind: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${kind}:${value}`
}
