/** What happens to an issue that rules can tell people about. Never "an event". */
export const alertTransitions = [
  'new',
  'regressed',
  'escalated',
  'unarchived',
  'assigned',
  'comment',
  'threshold',
  'normal',
] as const

/** Those that something queues. No rule can be made for the others. */
export const queuedTransitions = [
  'new',
  'regressed',
  'escalated',
  'unarchived',
  'assigned',
  'comment',
] as const satisfies readonly (typeof alertTransitions)[number][]

/** A transition of an issue. */
export type AlertTransition = (typeof alertTransitions)[number]
