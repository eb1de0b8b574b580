/** A recently queued message to a receiver. Times in Unix milliseconds. */
export interface RecentDelivery {
  id: string
  kind: 'issues' | 'storm' | 'digest' | 'quiet' | 'test'
  /** Of its first transition. */
  projectId: number
  createdAt: number
  dueAt: number
  /** No process has started to send it: transitions can be added. */
  isOpen: boolean
  transitionCount: number
}

/** How messages are grouped, in milliseconds and messages. */
export interface GroupingBounds {
  /** Between two messages about a project to a receiver. */
  groupMs: number
  /** A receiver gets at most `stormCount` messages in this time; then a summary, and a digest at its end. */
  stormMs: number
  stormCount: number
  /** From the first transition of a digest that a user has chosen. */
  digestMs: number
  /** By how much the clocks of two processes differ at most. */
  skewMs: number
}

/** Transitions of one project for one receiver. */
export interface PlannedTransitions {
  projectId: number
  /** The receiver has selected a digest. */
  isDigest: boolean
  /** A storm in the project itself, such as spike protection: its alerts are held for a digest. */
  isHeld: boolean
  now: number
}

/** Adds transitions to a message, or creates one; `isStormBegin`: as the summary of a storm. */
export type DeliveryPlan =
  | { to: string }
  | { kind: 'issues' | 'digest'; dueAt: number; isStormBegin: boolean }

/**
 * Plans the messages of transitions for a receiver. The first message about a project is due immediately, so
 * that a single issue is never delayed; transitions within the grouping time are sent as one message at its
 * end.
 */
export function planDelivery(
  listed: readonly RecentDelivery[],
  { projectId, isDigest, isHeld, now }: PlannedTransitions,
  bounds: GroupingBounds,
): DeliveryPlan {
  // After the clock was set back, older messages are in the future and would hold new ones until then.
  const recent = listed.filter(({ createdAt }) => createdAt <= now + bounds.skewMs)
  const open = recent.filter((each) => each.isOpen && each.dueAt > now)
  const digest = open.find(({ kind }) => kind === 'digest')
  if (isDigest)
    return digest ? { to: digest.id } : { kind: 'digest', dueAt: now + bounds.digestMs, isStormBegin: false }
  const isLasting = isStormLasting(recent, now, bounds)
  if (isLasting || isHeld || countMessages(recent, now, bounds) >= bounds.stormCount) {
    if (digest) return { to: digest.id }
    return {
      kind: 'digest',
      dueAt: now + bounds.stormMs,
      isStormBegin: !isLasting && !(isHeld && isAnnounced(recent, now, bounds)),
    }
  }
  const isOfProject = (each: RecentDelivery) => each.kind === 'issues' && each.projectId === projectId
  const group = open.find(isOfProject)
  if (group) return { to: group.id }
  // A clock that was set back must not delay messages.
  const dueAts = recent.filter(isOfProject).map(({ dueAt }) => Math.min(dueAt, now))
  return {
    kind: 'issues',
    dueAt: Math.max(now, ...dueAts.map((at) => at + bounds.groupMs)),
    isStormBegin: false,
  }
}

function countMessages(recent: readonly RecentDelivery[], now: number, { stormMs }: GroupingBounds): number {
  return recent.filter(({ kind, createdAt }) => kind === 'issues' && createdAt > now - stormMs).length
}

/** A summary has announced that alerts are held: another for each digest of a long storm is noise. */
function isAnnounced(recent: readonly RecentDelivery[], now: number, { stormMs }: GroupingBounds): boolean {
  return recent.some(({ kind, createdAt }) => kind === 'storm' && createdAt > now - 2 * stormMs)
}

/** A digest collects the transitions of a storm, or the last digest had enough of them to start a storm. */
function isStormLasting(
  recent: readonly RecentDelivery[],
  now: number,
  { stormMs, stormCount }: GroupingBounds,
): boolean {
  return recent.some(({ kind, createdAt, dueAt, transitionCount }) => {
    // A digest that a user has selected collects longer.
    const isOfStorm = kind === 'digest' && dueAt - createdAt <= stormMs
    return isOfStorm && (dueAt > now || (dueAt > now - stormMs && transitionCount >= stormCount))
  })
}
