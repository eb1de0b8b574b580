import * as v from 'valibot'
import { alertTransitions } from '#alerts/transition.ts'

const transition = v.object({
  projectId: v.number(),
  issueId: v.number(),
  transition: v.picklist(alertTransitions),
  /** Unix milliseconds. */
  at: v.number(),
  transitionId: v.string(),
  /** The rules that matched it. */
  ruleIds: v.array(v.string()),
})

const deliveryMessage = v.object({
  /**
   * `storm`: says that a digest follows, and why. `quiet`: is sent at the end of quiet hours. `test`: made by
   * hand. Texts of issues are read when it is sent.
   */
  kind: v.picklist(['issues', 'storm', 'digest', 'quiet', 'test']),
  transitions: v.array(transition),
  /** Transitions beyond `transitions`. */
  moreCount: v.number(),
})

export type DeliveryTransition = v.InferOutput<typeof transition>
export type DeliveryMessage = v.InferOutput<typeof deliveryMessage>

/** Reads `alert_deliveries.message`. */
export function parseDeliveryMessage(text: string): DeliveryMessage {
  return v.parse(deliveryMessage, JSON.parse(text))
}
