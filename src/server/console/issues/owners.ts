import type { Event } from '#protocol/event.ts'
import { eventTraits } from '#server/normalize/event-traits.ts'
import { indexedTags } from '#server/normalize/fields/tags.ts'
import { parseOwnership, resolveOwners } from '#server/store/projects/ownership.ts'
import type { ProjectSettings } from '#server/store/projects/settings.ts'
import type { OwnerCandidate } from '#source-links/owners/find-owners.ts'
import { toOwnershipSubject } from '#source-links/owners/ownership-rules.ts'
import type { ResolvedOwners } from './views.ts'

/** The code owners of a displayed event: the same as for its alerts. */
export function findEventOwners(
  event: Event,
  settings: ProjectSettings,
  users: readonly OwnerCandidate[],
): ResolvedOwners | undefined {
  const ownership = parseOwnership(settings)
  const subject = toOwnershipSubject(eventTraits(event), indexedTags(event))
  return ownership && resolveOwners({ ownership, users }, subject)
}
