import { levels } from '#protocol/event.ts'
import type { Level } from '#protocol/event.ts'
import { isQuietAt } from './quiet-hours.ts'
import type { AlertFilter, AlertRule } from './rule.ts'
import { formatDuration, formatFilter, formatTransitions } from './sentence.ts'
import type { Names } from './sentence.ts'
import { isOfProject, isRecovery } from './transition.ts'
import type { AlertTransition } from './transition.ts'

/**
 * An issue at the moment of its transition, or a project as `toNoticeSubject` makes it. Times in Unix
 * milliseconds.
 */
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
  /** Why, in the words of the one who muted. */
  name: string
}

/** What `decideAlert` looks at besides the rule. Times in Unix milliseconds. */
export interface AlertCase {
  transition: AlertTransition
  subject: AlertSubject
  /** Of the rule or of the project: the one that ends last. */
  mute?: AlertMute
  /** The last message of the rule about this issue. */
  lastSentAt?: number
  /** People and destinations that the actions of the rule reach; absent: it is not known. */
  receiverCount?: number
  now: number
  /** Of members, for the texts of conditions. */
  names?: Names
}

/** One condition of a rule, with its value in the case. */
export interface AlertCondition {
  /** As in the sentence of the rule. */
  expected: string
  actual: string
  isMet: boolean
}

/** `unmatched` is decided by the trigger and the filters, those after `sent` by the limits of the rule. */
export type AlertResult =
  | 'sent'
  | 'unmatched'
  | 'disabled'
  | 'muted'
  | 'throttled'
  | 'quiet_hours'
  | 'no_receiver'

/** What a rule does about a transition, and why. */
export interface AlertDecision {
  result: AlertResult
  /** All of them, also those after the first that is not met. */
  conditions: AlertCondition[]
}

/**
 * Decides whether a rule sends a message about a transition. The server, the dry run and the explanation of
 * an issue all call this.
 */
export function decideAlert(rule: AlertRule, of: AlertCase): AlertDecision {
  const hold = listHolds(rule, of).find(({ condition }) => !condition.isMet)
  return {
    result: isMatch(rule, of) ? (hold?.result ?? 'sent') : 'unmatched',
    // Texts for the dry run and the explanation; unused when a rule fires.
    get conditions() {
      return [
        checkTransition(rule, of),
        ...rule.filters.map((filter) => checkFilter(filter, of)),
        ...listHolds(rule, of).map(({ condition }) => condition),
      ]
    },
  }
}

/**
 * Whether a rule is about a transition: its trigger and all of its filters match. Cheap: most rules do not.
 */
export function isMatch(rule: AlertRule, of: Pick<AlertCase, 'transition' | 'subject' | 'now'>): boolean {
  return (
    rule.transitions.includes(of.transition) && rule.filters.every((filter) => findValue(filter, of).isMet)
  )
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
  return { expected: formatFilter(filter, { about, names: of.names }), ...findValue(filter, of) }
}

function findValue(
  filter: AlertFilter,
  { subject, now, names }: Pick<AlertCase, 'subject' | 'now' | 'names'>,
): { actual: string; isMet: boolean } {
  switch (filter.kind) {
    case 'environment': {
      const { environments } = subject
      return toResult(environments.join(', '), environments.includes(filter.value) === filter.is)
    }
    case 'release':
      return toResult(subject.release, (subject.release === filter.value) === filter.is)
    case 'tag': {
      const value = Object.hasOwn(subject.tags, filter.key) ? subject.tags[filter.key] : undefined
      return toResult(value, (value === filter.value) === filter.is)
    }
    case 'level':
      return toResult(subject.level, severityOf(subject.level) >= severityOf(filter.atLeast))
    case 'assigned':
      return toResult(subject.isAssigned ? 'assigned' : 'not assigned', subject.isAssigned === filter.is)
    case 'assignee': {
      const { assigneeId } = subject
      const actual = assigneeId ? (names?.get(assigneeId) ?? 'another member') : 'not assigned'
      return toResult(actual, (assigneeId === filter.id) === filter.is)
    }
    case 'path':
      return toResult(subject.path, (subject.path?.includes(filter.value) ?? false) === filter.is)
    case 'text': {
      const words = `${subject.title}\n${subject.culprit}`.toLowerCase()
      return toResult(subject.title, words.includes(filter.value.toLowerCase()) === filter.is)
    }
    case 'age':
  }
  const ageMs = Math.max(0, now - subject.firstSeenAt)
  return toResult(formatDuration(ageMs), filter.than === 'older' ? ageMs > filter.ms : ageMs < filter.ms)
}

function toResult(actual: string | undefined, isMet: boolean): { actual: string; isMet: boolean } {
  return { actual: actual === undefined || actual === '' ? 'none' : actual, isMet }
}

/** Unknown levels are the least severe. */
function severityOf(level: string): number {
  const at = levels.findIndex((each: Level) => each === level)
  return at === -1 ? 0 : levels.length - at
}

interface Hold {
  result: Exclude<AlertResult, 'sent' | 'unmatched'>
  condition: AlertCondition
}

/** What keeps a matching rule quiet, in the order in which the ledger names it. */
function listHolds(rule: AlertRule, of: AlertCase): Hold[] {
  const { transition, subject, mute, lastSentAt, receiverCount, now } = of
  const holds: Hold[] = [
    {
      result: 'disabled',
      condition: {
        expected: 'the rule is on',
        actual: rule.isEnabled ? 'on' : 'off',
        isMet: rule.isEnabled,
      },
    },
  ]
  if (mute !== undefined) {
    const isMuted = now < mute.until
    const actual = isMuted ? `muted: ${mute.name}` : 'not muted'
    holds.push({ result: 'muted', condition: { expected: 'not muted', actual, isMet: !isMuted } })
  }
  // The throttle does not hold the notification that something is back to normal.
  if (rule.throttleMs > 0 && !isRecovery(transition))
    holds.push({ result: 'throttled', condition: checkThrottle(rule, lastSentAt, now) })
  if (rule.quietHours !== undefined) {
    const isFatal = rule.quietHours.lettingFatal && subject.level === 'fatal'
    const isQuiet = isQuietAt(rule.quietHours, now)
    holds.push({
      result: 'quiet_hours',
      condition: {
        expected: 'outside quiet hours',
        actual: isQuiet ? `in quiet hours${isFatal ? ', but fatal' : ''}` : 'outside',
        isMet: !isQuiet || isFatal,
      },
    })
  }
  if (receiverCount !== undefined) {
    const actual = receiverCount === 0 ? 'none' : String(receiverCount)
    const condition = { expected: 'it has a receiver', actual, isMet: receiverCount > 0 }
    holds.push({ result: 'no_receiver', condition })
  }
  return holds
}

/** A time in the future, after the clock was set back, holds nothing. */
function checkThrottle(
  { throttleMs }: AlertRule,
  lastSentAt: number | undefined,
  now: number,
): AlertCondition {
  const sinceMs = lastSentAt === undefined || lastSentAt > now ? undefined : now - lastSentAt
  return {
    expected: `not sent in the last ${formatDuration(throttleMs)}`,
    actual: sinceMs === undefined ? 'not sent yet' : `sent ${formatDuration(sinceMs)} ago`,
    isMet: sinceMs === undefined || sinceMs >= throttleMs,
  }
}
