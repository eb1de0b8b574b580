import { itemCategory } from '#protocol/data-category.ts'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import { errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { DeadLetter, DeadLetterOrigin } from '#server/store/ingest/records.ts'
import type { Reception } from './reception.ts'

/** The fields of the envelope header that a retry needs. */
type SentWith = Pick<DeadLetterOrigin, 'eventId' | 'sentAt'>

/** A dead letter for an item on which Culvert's own code failed, with everything that a retry needs. */
export function toDeadLetter(
  item: EnvelopeItem,
  { thrown, sent, reception }: { thrown: unknown; sent: SentWith; reception: Reception },
): DeadLetter {
  const { projectId, receivedAt, clientAddress, userAgent } = reception
  return {
    projectId,
    itemType: item.type,
    category: itemCategory(item.type),
    reason: errorMessage(thrown).slice(0, limits.deadLetterReasonLength),
    receivedAt,
    origin: {
      itemHeader: item.header,
      ...sent,
      clientAddress,
      userAgent,
    },
    payload: item.payload,
  }
}
