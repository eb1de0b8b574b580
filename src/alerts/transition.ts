/** A change of an issue that rules can send alerts about. Never "an event". */
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

/** Everything that rules can send alerts about. */
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

/** True for what events do to an issue: while they flood a project, such alerts wait for a digest. */
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
