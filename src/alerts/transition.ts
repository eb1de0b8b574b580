/** A change of an issue that rules can send alerts about. Never "an event". */
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

/** A transition of an issue. */
export type AlertTransition = (typeof alertTransitions)[number]
