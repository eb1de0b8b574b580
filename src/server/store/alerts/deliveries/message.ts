import * as v from 'valibot'
import { alertNotice, type AlertNotice } from '#alerts/notice.ts'
import { alertTransitions } from '#alerts/transition.ts'
import { parseColumn } from '#server/store/unreadable-rows.ts'

/**
 * `storm`: announces a digest and its reason. `quiet`: sent at the end of quiet hours. `test`: sent by a
 * user. The texts of issues are read when the message is sent.
 */
const kinds = ['issues', 'storm', 'digest', 'quiet', 'test'] as const

const message = v.object({
  /** The rules that matched, each once: the names of fifty rules would otherwise be most of the text. */
  rules: v.array(v.string()),
  transitions: v.array(
    v.object({
      projectId: v.number(),
      issueId: v.number(),
      transition: v.picklist(alertTransitions),
      at: v.number(),
      transitionId: v.string(),
      /** Indexes in `rules`. */
      rules: v.array(v.number()),
      /** The notice of a project's transition, whose `issueId` is 0. */
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
  /** The notice of a project's transition, whose `issueId` is 0. */
  notice?: AlertNotice | undefined
}

/** The contents of a message. */
export interface DeliveryMessage {
  kind: (typeof kinds)[number]
  transitions: DeliveryTransition[]
  /** The number of transitions that `transitions` leaves out. */
  moreCount: number
}

const kindText = v.picklist(kinds)
const messageText = v.pipe(v.string(), v.parseJson(), message)

/** Parses `alert_deliveries.kind`; undefined for one that this version does not know. */
export function parseDeliveryKind(kind: string): DeliveryMessage['kind'] | undefined {
  return v.is(kindText, kind) ? kind : undefined
}

/**
 * Parses the columns of `alert_deliveries` with a message's contents; undefined if this version cannot read
 * them.
 */
export function parseDeliveryMessage(row: {
  id: string
  kind: string
  message: string
  transition_count: number
}): DeliveryMessage | undefined {
  const of = { table: 'alert_deliveries', id: row.id }
  const [kind, parsed] = [parseColumn(kindText, row.kind, of), parseColumn(messageText, row.message, of)]
  if (kind === undefined || parsed === undefined) return undefined
  const { rules, transitions } = parsed
  return {
    kind,
    transitions: transitions.map(({ rules: indexes, ...transition }) => ({
      ...transition,
      ruleIds: indexes.flatMap((index) => rules[index] ?? []),
    })),
    moreCount: row.transition_count - transitions.length,
  }
}

/** Formats `alert_deliveries.message`. */
export function formatDeliveryMessage(transitions: readonly DeliveryTransition[]): string {
  const indexes = new Map<string, number>()
  const indexOf = (ruleId: string) => {
    const index = indexes.get(ruleId) ?? indexes.size
    indexes.set(ruleId, index)
    return index
  }
  const listed: v.InferOutput<typeof message>['transitions'] = transitions.map(
    ({ ruleIds, ...transition }) => ({
      ...transition,
      rules: ruleIds.map(indexOf),
    }),
  )
  const written: v.InferOutput<typeof message> = { transitions: listed, rules: [...indexes.keys()] }
  return JSON.stringify(written)
}
