import { isDeepStrictEqual } from 'node:util'
import { hourOf } from '#time/time-steps.ts'
import type { FixCommit, ReopenReason } from './records.ts'
import type { ArchiveCondition, ReleaseCondition } from './reopen-condition.ts'
import { conditionOf, type IssueState } from './state.ts'

/** An event that can change the state of an issue. `at` is in Unix milliseconds. */
export type LifecycleEvent =
  | ResolvingEvent
  | { kind: 'archive'; at: number; condition: ArchiveCondition | null }
  | { kind: 'reopen'; at: number }
  /** `isAccessEnded`: unassigned because the assignee has no access to the project any more. */
  | { kind: 'assign'; assigneeId: string | null; isAccessEnded?: true }
  /** A user undoes their own change. */
  | { kind: 'undo'; change: { before: IssueState; after: IssueState } }
  | ReceivedEvents
  /** The users of the issue were counted. */
  | { kind: 'users'; at: number; userCount: number }
  /** The time of an archive may have passed. */
  | { kind: 'time'; at: number }

/** Resolved by a user, by a commit of a release whose message says so, or by a monitor that has recovered. */
interface ResolvingEvent {
  kind: 'resolve'
  at: number
  condition: ReleaseCondition | null
  commit?: FixCommit
  isRecovery?: true
}

/** A batch has stored or counted events of the issue. */
export interface ReceivedEvents {
  kind: 'events'
  at: number
  /** The issue's event counts before and after the batch. */
  formerEventCount: number
  eventCount: number
  /** The latest time of occurrence per release of the events; the empty text for events without a release. */
  releases: ReadonlyMap<string, number>
  /** Negative if a release precedes the one of a condition, which was set at `setAt` (Unix ms). */
  compareRelease: (version: string, condition: ReleaseCondition, setAt: number) => number
}

/** The entry that a transition adds to the issue's activity. */
export type LifecycleActivity =
  | { kind: 'status'; commit?: FixCommit; isRecovery?: true }
  | { kind: 'assigned'; isAccessEnded?: true }
  | { kind: 'undone' }
  | { kind: 'regressed'; release?: string }
  | { kind: 'reopened'; reason: ReopenReason }

export interface Transition {
  before: IssueState
  after: IssueState
  /** Absent if only the count of the current hour changes, and for an imported state. */
  activity?: LifecycleActivity
}

/**
 * Every rule of an issue's life cycle: the transition from a state by an event; undefined if the event
 * changes nothing. Repeating an action changes nothing, so a form that is sent twice keeps the time of the
 * first.
 */
export function findTransition(before: IssueState, event: LifecycleEvent): Transition | undefined {
  switch (event.kind) {
    case 'resolve':
    case 'archive':
    case 'reopen':
      return setStatus(before, event)
    case 'assign':
      return assign(before, event)
    case 'undo':
      return isSameState(before, event.change.after)
        ? { before, after: event.change.before, activity: { kind: 'undone' } }
        : undefined
    case 'events':
      return before.status === 'resolved' ? regress(before, event) : countArchived(before, event)
    case 'users':
    case 'time':
  }
  return before.status === 'archived' && before.condition !== null
    ? leaveArchive(before, { at: event.at, reason: findReason(before.condition, event) })
    : undefined
}

function setStatus(
  before: IssueState,
  event: Extract<LifecycleEvent, { kind: 'resolve' | 'archive' | 'reopen' }>,
): Transition | undefined {
  const after = { ...stateWithout(before, event.at), ...statusOf(event) }
  const isSame = after.status === before.status && isDeepStrictEqual(conditionOf(after), conditionOf(before))
  if (isSame) return undefined
  const activity: LifecycleActivity = { kind: 'status' }
  if (event.kind === 'resolve' && event.commit !== undefined) activity.commit = event.commit
  if (event.kind === 'resolve' && event.isRecovery) activity.isRecovery = true
  return { before, after, activity }
}

function assign(
  before: IssueState,
  { assigneeId, isAccessEnded }: Extract<LifecycleEvent, { kind: 'assign' }>,
): Transition | undefined {
  if (before.assigneeId === assigneeId) return undefined
  return {
    before,
    after: { ...before, assigneeId },
    activity: { kind: 'assigned', ...(isAccessEnded && { isAccessEnded }) },
  }
}

function statusOf(event: Extract<LifecycleEvent, { kind: 'resolve' | 'archive' | 'reopen' }>) {
  switch (event.kind) {
    case 'resolve':
      return { status: 'resolved', condition: event.condition } as const
    case 'archive':
      return { status: 'archived', condition: event.condition } as const
    case 'reopen':
  }
  return { status: 'unresolved', isRegressed: false } as const
}

/** The fields of a state that a status change keeps. */
function stateWithout({ assigneeId, regressedRelease }: IssueState, at: number) {
  return { statusChangedAt: at, assigneeId, regressedRelease }
}

/** A resolved issue regresses if an event after the resolution comes from a release with the fix. */
function regress(
  before: Extract<IssueState, { status: 'resolved' }>,
  { at, releases, compareRelease }: ReceivedEvents,
): Transition | undefined {
  const { condition, statusChangedAt } = before
  // Late events that occurred before the resolution do not reopen the issue.
  const since = [...releases]
    .filter(([, occurredAt]) => occurredAt > (statusChangedAt ?? 0))
    .toSorted(([, one], [, other]) => other - one)
  const release = since.map(([name]) => name).find(hasFix)
  if (release === undefined) return undefined
  const after = {
    ...stateWithout(before, at),
    status: 'unresolved',
    isRegressed: true,
    regressedRelease: release || null,
  } as const
  return { before, after, activity: { kind: 'regressed', ...(release !== '' && { release }) } }

  /** An event without a release could come from the newest one. */
  function hasFix(name: string): boolean {
    if (name === '' || condition === null) return true
    const order = compareRelease(name, condition, statusChangedAt ?? 0)
    return condition.kind === 'release' ? order >= 0 : order > 0
  }
}

/** Reopens an archived issue that reaches a limit of its condition; otherwise counts the current hour. */
function countArchived(before: IssueState, event: ReceivedEvents): Transition | undefined {
  if (before.status !== 'archived' || before.condition === null) return undefined
  const condition = countHour(before.condition, event)
  const reason = findReason(condition, event)
  if (reason !== undefined) return leaveArchive(before, { at: event.at, reason })
  return condition === before.condition ? undefined : { before, after: { ...before, condition } }
}

/** The condition with the hour of the events, which begins with the first batch in that hour. */
function countHour(condition: ArchiveCondition, { at, formerEventCount }: ReceivedEvents): ArchiveCondition {
  if (condition.hourLimit === undefined || condition.hour?.at === hourOf(at)) return condition
  return { ...condition, hour: { at: hourOf(at), eventCount: formerEventCount } }
}

/** The first limit of the condition that the event reaches. */
function findReason(
  { untilAt = Infinity, hour, ...limits }: ArchiveCondition,
  event: Extract<LifecycleEvent, { kind: 'events' | 'users' | 'time' }>,
): ReopenReason | undefined {
  const { eventCount = Infinity, userCount = Infinity, hourLimit = Infinity } = limits
  if (event.kind === 'users') return event.userCount >= userCount ? 'users' : undefined
  if (event.at >= untilAt) return 'time'
  if (event.kind === 'time') return undefined
  if (event.eventCount >= eventCount) return 'events'
  return event.eventCount - (hour?.eventCount ?? 0) > hourLimit ? 'escalation' : undefined
}

function leaveArchive(
  before: IssueState,
  { at, reason }: { at: number; reason: ReopenReason | undefined },
): Transition | undefined {
  if (reason === undefined) return undefined
  const after = { ...stateWithout(before, at), status: 'unresolved', isRegressed: false } as const
  return { before, after, activity: { kind: 'reopened', reason } }
}

/** Ignores the count of the current hour, which neither a user nor a rule has changed. */
function isSameState(one: IssueState, other: IssueState): boolean {
  return isDeepStrictEqual(withoutHour(one), withoutHour(other))
}

function withoutHour(state: IssueState) {
  const condition = conditionOf(state)
  return condition?.kind === 'archive' ? { ...state, condition: { ...condition, hour: undefined } } : state
}
