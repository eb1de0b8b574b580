import * as v from 'valibot'
import { alertNotice } from '#alerts/notice.ts'
import type { AlertNotice } from '#alerts/notice.ts'
import { alertTransitions } from '#alerts/transition.ts'

/**
 * `storm`: says that a digest follows, and why. `quiet`: is sent at the end of quiet hours. `test`: made by
 * hand. Texts of issues are read when it is sent.
 */
const kinds = ['issues', 'storm', 'digest', 'quiet', 'test'] as const

const message = v.object({
  /** The rules that matched, each once: fifty of them would be most of the text otherwise. */
  rules: v.array(v.string()),
  transitions: v.array(
    v.object({
      projectId: v.number(),
      issueId: v.number(),
      transition: v.picklist(alertTransitions),
      at: v.number(),
      transitionId: v.string(),
      /** Places in `rules`. */
      rules: v.array(v.number()),
      /** Of a transition of the project: `issueId` is 0. */
      notice: v.optional(alertNotice),
    }),
  ),
})

/** A transition in a message. */
export interface DeliveryTransition {
  projectId: number
  issueId: number
  transition: (typeof alertTransitions)[number]
  /** Unix milliseconds. */
  at: number
  transitionId: string
  /** The rules that matched it. */
  ruleIds: readonly string[]
  /** Of a transition of the project: `issueId` is 0. */
  notice?: AlertNotice | undefined
}

/** The subject of a message. */
export interface DeliveryMessage {
  kind: (typeof kinds)[number]
  transitions: DeliveryTransition[]
  /** Transitions beyond `transitions`. */
  moreCount: number
}

/** Reads `alert_deliveries.kind`. */
export function parseDeliveryKind(kind: string): DeliveryMessage['kind'] {
  return v.parse(v.picklist(kinds), kind)
}

/** Reads the columns of `alert_deliveries` that say what a message is about. */
export function parseDeliveryMessage(row: {
  kind: string
  message: string
  transition_count: number
}): DeliveryMessage {
  const { rules, transitions } = v.parse(message, JSON.parse(row.message))
  return {
    kind: parseDeliveryKind(row.kind),
    transitions: transitions.map(({ rules: places, ...transition }) => ({
      ...transition,
      ruleIds: places.flatMap((place) => rules[place] ?? []),
    })),
    moreCount: row.transition_count - transitions.length,
  }
}

/** Writes `alert_deliveries.message`. */
export function formatDeliveryMessage(transitions: readonly DeliveryTransition[]): string {
  const places = new Map<string, number>()
  const placeOf = (ruleId: string) => {
    const place = places.get(ruleId) ?? places.size
    places.set(ruleId, place)
    return place
  }
  const listed: v.InferOutput<typeof message>['transitions'] = transitions.map(
    ({ ruleIds, ...transition }) => ({
      ...transition,
      rules: ruleIds.map(placeOf),
    }),
  )
  const written: v.InferOutput<typeof message> = { transitions: listed, rules: [...places.keys()] }
  return JSON.stringify(written)
}
