import type { StackTrace } from '#protocol/event.ts'
import type { ExceptionFacts, FrameFacts } from './frame-facts.ts'
import type { ActionRange, RuleAction, StackTraceRule } from './stack-trace-rules.ts'

/** The result of the rules for one frame. */
export interface RuledFrame {
  isApp: boolean
  /** In-app by the SDK or the built-in tables. */
  wasApp: boolean
  /** False if the frame is excluded from grouping. */
  isGrouped: boolean
  /** True if a rule decided `isApp`. */
  isAppByRule: boolean
  /** The last rule that has changed the frame. */
  rule?: StackTraceRule
}

/** The result of the rules for one stack trace. */
export interface RuledTrace {
  frames: RuledFrame[]
  /** True if any rule has changed a frame. */
  isChanged: boolean
}

/** The limits of a trace, which rules set. */
interface TraceBounds {
  maxFrames?: { count: number; rule: StackTraceRule }
  minFrames?: { count: number; rule: StackTraceRule }
}

/** One trace of an event, and its properties for rules. */
export interface TraceSubject {
  facts: FrameFacts[]
  exception: ExceptionFacts | undefined
}

/**
 * Applies rules to all traces of an event, in order: later rules take precedence. Modifies `facts`.
 * `isMarked`: the SDK has marked at least one frame of the event.
 */
export function ruleTraces(
  subjects: readonly TraceSubject[],
  rules: readonly StackTraceRule[],
  isMarked: boolean,
): RuledTrace[] {
  const flagged = subjects.map((subject) => flagFrames(subject, rules))
  const hasMark = ({ frames }: RuledTrace) => frames.some(({ isApp, isAppByRule }) => isApp && isAppByRule)
  // As with marks by the SDK: once a frame is marked as in-app, unmarked frames are not.
  if (!isMarked && flagged.some(hasMark)) {
    for (const [index, trace] of flagged.entries()) clearUnmarked(trace, subjects[index]?.facts ?? [])
  }
  return flagged.map(({ frames, bounds, isChanged }) => ({
    frames,
    isChanged: bindTrace(frames, bounds) || isChanged,
  }))
}

function clearUnmarked(trace: RuledTrace, facts: readonly FrameFacts[]): void {
  for (const [index, frame] of trace.frames.entries()) {
    if (frame.isAppByRule) continue
    frame.isApp = false
    const fact = facts[index]
    if (fact !== undefined) fact.isApp = false
  }
  trace.isChanged = true
}

function flagFrames(
  { facts, exception }: TraceSubject,
  rules: readonly StackTraceRule[],
): RuledTrace & { bounds: TraceBounds } {
  const frames = facts.map(({ isApp }): RuledFrame => ({
    isApp,
    wasApp: isApp,
    isGrouped: true,
    isAppByRule: false,
  }))
  const bounds: TraceBounds = {}
  let isChanged = false
  for (const rule of rules) {
    if (!rule.matchesException(exception)) continue
    // All frames are tested before any is changed, so that a rule does not affect its own matches.
    const hits = facts.flatMap((_, index) => (matchesAt(rule, facts, index) ? [index] : []))
    for (const index of hits) for (const action of rule.actions) apply(action, index, rule)
  }
  return { frames, bounds, isChanged }

  function apply(action: RuleAction, index: number, rule: StackTraceRule): void {
    const own = facts[index]
    if (action.kind === 'category') {
      if (own !== undefined) own.category = action.category
      return
    }
    if (action.kind !== 'flag') {
      bounds[action.kind === 'max-frames' ? 'maxFrames' : 'minFrames'] = { count: action.count, rule }
      return
    }
    const [start, end] = rangeOf(action.range, index, facts.length)
    for (let at = start; at < end; at += 1) {
      const [frame, fact] = [frames[at], facts[at]]
      if (frame === undefined || fact === undefined) continue
      if (action.flag === 'app') {
        fact.isApp = action.isOn
        frame.isAppByRule = true
      }
      frame[action.flag === 'app' ? 'isApp' : 'isGrouped'] = action.isOn
      frame.rule = rule
      isChanged = true
    }
  }
}

function matchesAt(rule: StackTraceRule, facts: FrameFacts[], index: number): boolean {
  const [frame, caller, callee] = [facts[index], facts[index - 1], facts[index + 1]]
  if (frame === undefined || !rule.matchesFrame(frame)) return false
  if (rule.matchesCaller !== undefined && (caller === undefined || !rule.matchesCaller(caller))) return false
  return rule.matchesCallee === undefined || (callee !== undefined && rule.matchesCallee(callee))
}

/** Start (inclusive) and end (exclusive). Frames are ordered oldest call first: "up" is towards the crash. */
function rangeOf(range: ActionRange, index: number, length: number): [start: number, end: number] {
  if (range === 'up') return [index + 1, length]
  return range === 'down' ? [0, index] : [index, index + 1]
}

/**
 * Keeps the last `maxFrames` contributing frames, or none if there are fewer than `minFrames`. In-app frames
 * contribute, or all frames if there are none.
 */
function bindTrace(frames: RuledFrame[], { maxFrames, minFrames }: TraceBounds): boolean {
  if (maxFrames === undefined && minFrames === undefined) return false
  const grouped = frames.filter(({ isGrouped }) => isGrouped)
  const inApp = grouped.filter(({ isApp }) => isApp)
  const counted = inApp.length > 0 ? inApp : grouped
  if (minFrames !== undefined && counted.length < minFrames.count) {
    for (const frame of grouped) leaveOut(frame, minFrames.rule)
    return true
  }
  if (maxFrames === undefined || maxFrames.count === 0) return false
  const surplus = counted.slice(0, Math.max(0, counted.length - maxFrames.count))
  for (const frame of surplus) leaveOut(frame, maxFrames.rule)
  return surplus.length > 0
}

function leaveOut(frame: RuledFrame, rule: StackTraceRule): void {
  frame.isGrouped = false
  frame.rule = rule
}

/** The trace with in-app marks by the rules. */
export function withAppMarks({ frames }: StackTrace, ruled: RuledTrace): StackTrace {
  return {
    frames: frames.map((frame, index) => ({ ...frame, inApp: ruled.frames[index]?.isApp ?? false })),
  }
}

/** The stack trace without the frames that are excluded from grouping. */
export function withoutUngrouped({ frames }: StackTrace, ruled: RuledTrace): StackTrace {
  return { frames: frames.filter((_, index) => ruled.frames[index]?.isGrouped !== false) }
}
