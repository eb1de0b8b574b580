/** Transitions of an issue. An event is not a transition. */
export const issueTransitions = [
  'new',
  'regressed',
  'escalated',
  'unarchived',
  'assigned',
  'comment',
  'mention',
  'threshold',
  'normal',
  'recovered',
] as const

/** Transitions of a project as a whole. */
export const projectTransitions = [
  'release',
  'first_event',
  'crash_free',
  'crash_free_normal',
  'trouble',
  'trouble_over',
] as const

/** All transitions about which rules can send alerts. */
export const alertTransitions = [...issueTransitions, ...projectTransitions] as const

/** A transition of an issue or of a project. */
export type AlertTransition = (typeof alertTransitions)[number]

/** True for a transition of a project as a whole. */
export function isOfProject(transition: AlertTransition): boolean {
  return projectTransitions.some((each) => each === transition)
}

const causedByEvents: ReadonlySet<AlertTransition> = new Set([
  'new',
  'regressed',
  'escalated',
  'unarchived',
  'threshold',
])

/** True for transitions that events cause: during a flood of events, such alerts are held for a digest. */
export function isCausedByEvents(transition: AlertTransition): boolean {
  return causedByEvents.has(transition)
}

const recoveries: ReadonlySet<AlertTransition> = new Set([
  'normal',
  'recovered',
  'crash_free_normal',
  'trouble_over',
])

/** True if an earlier transition, about which alerts were sent, has ended. */
export function isRecovery(transition: AlertTransition): boolean {
  return recoveries.has(transition)
}
