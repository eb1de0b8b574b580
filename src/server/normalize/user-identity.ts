import type { Event } from '#protocol/event.ts'
import type { PromotedTagKey } from '#protocol/promoted-tags.ts'
import { limits } from '#server/limits.ts'
import { cutText } from './text.ts'

/**
 * The affected user as one text that identifies users: `id:7`, `username:jo`, `email:jo@example.com`,
 * `ip:192.0.2.7`; undefined when the event has no user. The first known field counts, in this order
 * (Sentry's).
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
 * What else is known of an event's user, by the key it is searched by: `user.username`, `user.email`,
 * `user.ip`. Without the name that its identity is made of: that one is searched there.
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
