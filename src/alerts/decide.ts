import { levels, type Level } from '#protocol/event.ts'
import { minuteMs } from '#time/time-steps.ts'
import { isQuietAt } from './quiet-hours.ts'
import type { AlertFilter, AlertRule, QuietHours } from './rule.ts'
import { formatDuration, formatFilter, formatPeriod, formatTransitions, type Names } from './sentence.ts'
import { isOfProject, isRecovery, type AlertTransition } from './transition.ts'

/** An issue at its transition, or a project from `toNoticeSubject`. Times are Unix milliseconds. */
export interface AlertSubject {
  title: string
  culprit: string
  level: string
  firstSeenAt: number
  environments: readonly string[]
  release?: string
  /** Of the event that caused the transition. */
  tags: Readonly<Record<string, string>>
  /** Of the top in-app frame. */
  path?: string
  isAssigned: boolean
  /** The user who is assigned. */
  assigneeId?: string | null
}

/** No message is sent before its end. */
export interface AlertMute {
  /** Unix milliseconds. */
  until: number
  /** The reason that the user entered. */
  name: string
}

/** The input of `decideAlert` in addition to the rule. Times in Unix milliseconds. */
export interface AlertCase {
  transition: AlertTransition
  subject: AlertSubject
  /** Of the rule or of the project: the one that ends last. */
  mute?: AlertMute
  /** The last message of the rule about this issue. */
  lastSentAt?: number
  /** The number of users and destinations of the rule's actions; absent if unknown. */
  receiverCount?: number
  now: number
  /** Of members, for the texts of conditions. */
  names?: Names
}

/** One condition of a rule, with its value in the case. */
export interface AlertCondition {
  /** As in the rule's sentence. */
  expected: string
  actual: string
  isMet: boolean
}

/** `unmatched` results from the trigger and the filters, those after `sent` from the limits of the rule. */
export type AlertResult =
  | 'sent'
  | 'unmatched'
  | 'disabled'
  | 'muted'
  | 'throttled'
  | 'quiet_hours'
  | 'no_receiver'

/** The decision of a rule about a transition, and its reason. */
export interface AlertDecision {
  result: AlertResult
  /** All conditions, even after the first one that is not met. */
  conditions: AlertCondition[]
}

/**
 * Decides whether a rule sends a message about a transition. The server, the dry run and the explanation of
 * an issue all call this.
 */
export function decideAlert(rule: AlertRule, of: AlertCase): AlertDecision {
  const hold = holds.find((each) => each.isOf(rule, of) && !each.isMet(rule, of))
  return {
    result: isMatch(rule, of) ? (hold?.result ?? 'sent') : 'unmatched',
    // Texts for the dry run and the explanation; unused when a rule fires.
    get conditions() {
      return [
        checkTransition(rule, of),
        ...rule.filters.map((filter) => checkFilter(filter, of)),
        ...holds.filter((each) => each.isOf(rule, of)).map((each) => checkHold(each, rule, of)),
      ]
    },
  }
}

/**
 * True if the trigger and all filters of a rule match a transition. Must be cheap, because most rules do not
 * match.
 */
export function isMatch(
  rule: Pick<AlertRule, 'transitions' | 'filters'>,
  of: Pick<AlertCase, 'transition' | 'subject' | 'now'>,
): boolean {
  return rule.transitions.includes(of.transition) && rule.filters.every((filter) => isFilterMet(filter, of))
}

/** True for a filter that depends only on the fields in `toCommonKey`, which many issues share. */
export function isCommonFilter({ kind }: AlertFilter): boolean {
  return commonKinds.has(kind)
}

const commonKinds = new Set<AlertFilter['kind']>(['environment', 'release', 'level', 'assigned', 'assignee'])

/** Equal for transitions that the triggers and the common filters of rules cannot tell apart. */
export function toCommonKey({ transition, subject }: Pick<AlertCase, 'transition' | 'subject'>): string {
  const { level, release, isAssigned, assigneeId, environments } = subject
  return JSON.stringify([transition, level, release, isAssigned, assigneeId, environments])
}

function checkTransition({ transitions }: AlertRule, { transition }: AlertCase): AlertCondition {
  return {
    expected: formatTransitions(transitions),
    actual: formatTransitions([transition]),
    isMet: transitions.includes(transition),
  }
}

function checkFilter(filter: AlertFilter, of: AlertCase): AlertCondition {
  const about = isOfProject(of.transition) ? 'project' : 'issue'
  return {
    expected: formatFilter(filter, { about, names: of.names }),
    actual: formatValue(filter, of) || 'none',
    isMet: isFilterMet(filter, of),
  }
}

/** Formats no text, because it runs for each rule and transition. */
function isFilterMet(filter: AlertFilter, { subject, now }: Pick<AlertCase, 'subject' | 'now'>): boolean {
  switch (filter.kind) {
    case 'environment':
      return subject.environments.includes(filter.value) === filter.is
    case 'release':
      return (subject.release === filter.value) === filter.is
    case 'tag':
      return (findTag(subject, filter.key) === filter.value) === filter.is
    case 'level':
      return severityOf(subject.level) >= severityOf(filter.atLeast)
    case 'assigned':
      return subject.isAssigned === filter.is
    case 'assignee':
      return (subject.assigneeId === filter.id) === filter.is
    case 'path':
      return (subject.path?.includes(filter.value) ?? false) === filter.is
    case 'text': {
      const words = `${subject.title}\n${subject.culprit}`.toLowerCase()
      return words.includes(filter.value.toLowerCase()) === filter.is
    }
    case 'age':
  }
  const ageMs = ageOf(subject, now)
  return filter.than === 'older' ? ageMs > filter.ms : ageMs < filter.ms
}

/** The value that `isFilterMet` compares, as text. */
function formatValue(filter: AlertFilter, { subject, now, names }: AlertCase): string | undefined {
  switch (filter.kind) {
    case 'environment':
      return subject.environments.join(', ')
    case 'release':
      return subject.release
    case 'tag':
      return findTag(subject, filter.key)
    case 'level':
      return subject.level
    case 'assigned':
      return subject.isAssigned ? 'assigned' : 'not assigned'
    case 'assignee': {
      const { assigneeId } = subject
      return assigneeId ? (names?.get(assigneeId) ?? 'another member') : 'not assigned'
    }
    case 'path':
      return subject.path
    case 'text':
      return subject.title
    case 'age':
  }
  return formatDuration(ageOf(subject, now))
}

function findTag({ tags }: AlertSubject, key: string): string | undefined {
  return Object.hasOwn(tags, key) ? tags[key] : undefined
}

function ageOf({ firstSeenAt }: AlertSubject, now: number): number {
  return Math.max(0, now - firstSeenAt)
}

/** Unknown levels are the least severe. */
function severityOf(level: string): number {
  const at = levels.findIndex((each: Level) => each === level)
  return at === -1 ? 0 : levels.length - at
}

interface Hold {
  result: Exclude<AlertResult, 'sent' | 'unmatched'>
  /** True if it applies to the rule and the case. */
  isOf: (rule: AlertRule, of: AlertCase) => boolean
  /** True if it does not hold the message. */
  isMet: (rule: AlertRule, of: AlertCase) => boolean
  expected: (rule: AlertRule) => string
  actual: (rule: AlertRule, of: AlertCase) => string
}

/** The reasons why a matching rule sends no message; the first one that applies is used. */
const holds: readonly Hold[] = [
  {
    result: 'disabled',
    isOf: () => true,
    isMet: ({ isEnabled }) => isEnabled,
    expected: () => 'the rule is enabled',
    actual: ({ isEnabled }) => (isEnabled ? 'on' : 'off'),
  },
  {
    result: 'muted',
    isOf: (_, { mute }) => mute !== undefined,
    isMet: (_, { mute, now }) => mute === undefined || now >= mute.until,
    expected: () => 'not muted',
    actual: (_, { mute, now }) => (mute && now < mute.until ? `muted: ${mute.name}` : 'not muted'),
  },
  {
    result: 'throttled',
    // The throttle does not hold the notification that something is back to normal.
    isOf: ({ throttleMs }, { transition }) => throttleMs > 0 && !isRecovery(transition),
    isMet: ({ throttleMs }, of) => (sinceSentMs(of) ?? Infinity) >= throttleMs,
    expected: ({ throttleMs }) => `not sent ${formatPeriod(throttleMs, 'in the last')}`,
    actual: (_, of) => {
      const sinceMs = sinceSentMs(of)
      if (sinceMs === undefined) return 'not sent yet'
      return sinceMs < minuteMs ? 'sent just now' : `sent ${formatDuration(sinceMs)} ago`
    },
  },
  {
    result: 'quiet_hours',
    isOf: ({ quietHours }) => quietHours !== undefined,
    isMet: ({ quietHours }, of) =>
      quietHours === undefined || !isQuietAt(quietHours, of.now) || isFatalLet(quietHours, of),
    expected: () => 'outside quiet hours',
    actual: ({ quietHours }, of) => {
      if (quietHours === undefined || !isQuietAt(quietHours, of.now)) return 'outside'
      return `in quiet hours${isFatalLet(quietHours, of) ? ', but fatal' : ''}`
    },
  },
  {
    result: 'no_receiver',
    isOf: (_, { receiverCount }) => receiverCount !== undefined,
    isMet: (_, { receiverCount }) => receiverCount !== 0,
    expected: () => 'it has a receiver',
    actual: (_, { receiverCount }) => (receiverCount === 0 ? 'none' : String(receiverCount)),
  },
]

function checkHold({ expected, actual, isMet }: Hold, rule: AlertRule, of: AlertCase): AlertCondition {
  return { expected: expected(rule), actual: actual(rule, of), isMet: isMet(rule, of) }
}

/** A time in the future, after the clock was set back, is ignored. */
function sinceSentMs({ lastSentAt, now }: AlertCase): number | undefined {
  return lastSentAt === undefined || lastSentAt > now ? undefined : now - lastSentAt
}

function isFatalLet({ lettingFatal }: QuietHours, { subject }: AlertCase): boolean {
  return lettingFatal && subject.level === 'fatal'
}
