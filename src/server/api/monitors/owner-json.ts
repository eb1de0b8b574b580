import * as v from 'valibot'
import { anyText } from '#server/api/answer-schema.ts'
import { findMonitorOwner } from '#server/store/monitors/owners.ts'
import type { OwnerCandidate } from '#source-links/owners/find-owners.ts'

/** The owner of a monitor in Sentry's format; with the email address of a user with access. */
export const ownerAnswer = v.nullable(
  v.strictObject({
    type: v.picklist(['user', 'team']),
    id: anyText,
    name: anyText,
    email: v.optional(anyText),
  }),
)

/** Converts a stored owner to Sentry's format. */
export function toOwnerJson(
  owner: string | undefined,
  users: readonly OwnerCandidate[],
): v.InferOutput<typeof ownerAnswer> {
  if (owner === undefined) return null
  const user = findMonitorOwner(owner, users)
  if (user !== undefined) return { type: 'user', id: user.userId, name: user.name, email: user.email }
  const name = owner.replace(/^(?:user|team):/, '')
  return { type: owner.startsWith('team:') ? 'team' : 'user', id: name, name }
}
