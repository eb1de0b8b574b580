import type { LimitQuestion, RequestLimits } from './request-limits.ts'

/** A counted outcome of items. */
interface CountedItems {
  outcome: string
  category: string
  quantity: number
}

/**
 * Returns what the filtered items of an envelope have taken of its limits. `takenForAttachments` is from
 * `limitItems`: an event and its attachments are filtered together.
 */
export function refundFiltered(
  requestLimits: Pick<RequestLimits, 'refund'>,
  outcomes: readonly CountedItems[],
  takenForAttachments: LimitQuestion | undefined,
): void {
  for (const { outcome, category, quantity } of outcomes) {
    if (outcome !== 'filtered') continue
    if (category !== 'attachment') requestLimits.refund({ category, quantity, itemCount: quantity })
    else if (takenForAttachments !== undefined) requestLimits.refund(takenForAttachments)
  }
}
