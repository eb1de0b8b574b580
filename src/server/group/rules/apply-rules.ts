import type { Event, StackTrace } from '#protocol/event.ts'
import { groupEvent } from '#server/group/group-event.ts'
import type { Grouping } from '#server/group/grouping.ts'
import { eventTraces } from '#server/group/mechanisms/v1/event-traces.ts'
import { fingerprintParts } from '#server/group/mechanisms/v1/fingerprint.ts'
import { createInAppPredicate } from '#server/group/mechanisms/v1/in-app.ts'
import type { FrameCache } from '#server/normalize/frame-cache.ts'
import { matchesSubject } from './fingerprint-matcher.ts'
import type { FingerprintRule } from './fingerprint-rules.ts'
import { toExceptionFacts, toFrameFacts, type FrameFacts } from './frame-facts.ts'
import type { GroupingRules } from './grouping-rules.ts'
import { ruleTraces, withAppMarks, withoutUngrouped, type RuledTrace } from './ruled-trace.ts'

/** An event grouped by a project's own rules. */
export interface RuledEvent {
  /** The event with in-app marks by the rules; the event itself if no rule has changed one. */
  event: Event
  grouping: Grouping
  /** The title from the fingerprint rule. */
  title?: string
  /** The fingerprint by which it was grouped, with replaced variables; only if a rule or SDK set one. */
  fingerprint?: string[]
  /** The rule that has set it. */
  fingerprintRule?: FingerprintRule
  /** By trace, for the traces to which the rules were applied. */
  traces: ReadonlyMap<StackTrace, RuledTrace>
}

/**
 * Groups an event by a project's rules: its stack trace rules determine which frames contribute; then its
 * first matching fingerprint rule replaces the SDK's fingerprint; then the mechanism groups as usual.
 */
export function groupByRules(sent: Event, rules: GroupingRules, cache?: FrameCache): RuledEvent {
  const { stackTraceRules, fingerprintRules } = rules
  if (stackTraceRules.length === 0 && fingerprintRules.length === 0)
    return { event: sent, grouping: groupEvent(sent, cache), traces: new Map() }
  const { traces, frames } = ruleEvent(sent, rules)
  const isChanged = traces.values().some((trace) => trace.isChanged)
  const event = isChanged ? mapTraces(sent, (trace) => mark(trace, traces, withAppMarks)) : sent
  const rule = fingerprintRules.find(({ tests }) => matchesSubject(tests, { event: sent, frames }))
  const kept = isChanged ? withoutFrames(event, sent, traces) : event
  const grouped = rule === undefined ? kept : { ...kept, fingerprint: rule.fingerprint }
  const fill = (parts: string[]) =>
    fingerprintParts(grouped, parts, () => groupEvent(withoutFingerprint(grouped)).hash)
  return {
    event,
    grouping: groupEvent(grouped, cache),
    ...(rule?.title !== undefined && { title: fill(rule.title).join('') }),
    ...(grouped.fingerprint !== undefined && { fingerprint: fill(grouped.fingerprint) }),
    fingerprintRule: rule,
    traces,
  }
}

/**
 * The event with in-app marks by a project's stack trace rules; if neither they nor the SDK mark a frame, by
 * the built-in tables. The event itself if no mark changes.
 */
export function markByRules(sent: Event, rules: GroupingRules): Event {
  if (rules.stackTraceRules.length === 0) return markByTables(sent)
  const { traces } = ruleEvent(sent, rules)
  const isChanged = traces.values().some((trace) => trace.isChanged)
  return isChanged ? mapTraces(sent, (trace) => mark(trace, traces, withAppMarks)) : markByTables(sent)
}

function markByTables(event: Event): Event {
  const traces = eventTraces(event)
  const frames = traces.flatMap((trace) => trace.frames)
  const isInApp = createInAppPredicate(traces, event.platform)
  if (frames.some(({ inApp }) => inApp !== undefined) || frames.every(isInApp)) return event
  return mapTraces(event, (trace) => ({
    ...trace,
    frames: trace.frames.map((frame) => ({ ...frame, inApp: isInApp(frame) })),
  }))
}

function withoutFingerprint({ fingerprint: _fingerprint, ...event }: Event): Event {
  return event
}

/** Applies the rules to every trace. Returns the results, and the resulting properties of all frames. */
function ruleEvent(
  event: Event,
  { stackTraceRules }: GroupingRules,
): { traces: Map<StackTrace, RuledTrace>; frames: FrameFacts[] } {
  const all = eventTraces(event)
  const isApp = createInAppPredicate(all, event.platform)
  const subjects = tracesOf(event).map(({ stackTrace, exception }) => ({
    stackTrace,
    exception,
    facts: stackTrace.frames.map((frame) => toFrameFacts(frame, event, isApp(frame))),
  }))
  const isMarked = all.some(({ frames }) => frames.some(({ inApp }) => inApp !== undefined))
  const ruled = ruleTraces(subjects, stackTraceRules, isMarked)
  const traces = new Map<StackTrace, RuledTrace>()
  for (const [index, { stackTrace }] of subjects.entries()) {
    const trace = ruled[index]
    if (trace !== undefined) traces.set(stackTrace, trace)
  }
  return { traces, frames: subjects.flatMap(({ facts }) => facts) }
}

function tracesOf(event: Event) {
  const ofExceptions = event.exceptions.flatMap((exception) =>
    exception.stackTrace === undefined
      ? []
      : [{ stackTrace: exception.stackTrace, exception: toExceptionFacts(exception) }],
  )
  const ofThreads = event.threads.flatMap(({ stackTrace }) =>
    stackTrace === undefined ? [] : [{ stackTrace, exception: undefined }],
  )
  return [...ofExceptions, ...ofThreads]
}

function mark(
  trace: StackTrace,
  traces: ReadonlyMap<StackTrace, RuledTrace>,
  change: (trace: StackTrace, ruled: RuledTrace) => StackTrace,
): StackTrace {
  const ruled = traces.get(trace)
  return ruled === undefined ? trace : change(trace, ruled)
}

/** The marked event without the excluded frames; its stack traces replace those of `sent`. */
function withoutFrames(event: Event, sent: Event, traces: ReadonlyMap<StackTrace, RuledTrace>): Event {
  const ruledOf = new Map<StackTrace, RuledTrace>()
  const original = eventTraces(sent)
  for (const [index, trace] of eventTraces(event).entries()) {
    const ruled = traces.get(original[index] ?? trace)
    if (ruled !== undefined) ruledOf.set(trace, ruled)
  }
  return mapTraces(event, (trace) => mark(trace, ruledOf, withoutUngrouped))
}

function mapTraces(event: Event, change: (trace: StackTrace) => StackTrace): Event {
  const changeOne = <T extends { stackTrace?: StackTrace }>(holder: T): T =>
    holder.stackTrace === undefined ? holder : { ...holder, stackTrace: change(holder.stackTrace) }
  return { ...event, exceptions: event.exceptions.map(changeOne), threads: event.threads.map(changeOne) }
}
