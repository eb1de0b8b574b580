import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import type { AlertAction, AlertFilter, AlertRule, AlertThreshold } from './rule.ts'
import type { AlertTransition } from './transition.ts'

const phrases: Record<AlertTransition, string> = {
  new: 'is new',
  regressed: 'regresses',
  escalated: 'escalates',
  unarchived: 'is back from the archive',
  assigned: 'is assigned',
  comment: 'gets a comment',
  threshold: 'crosses the threshold',
  normal: 'is back to normal',
}

/** A rule as one plain sentence, made of its settings alone. `names`: of destinations and members, by id. */
export function formatRule(rule: AlertRule, names: ReadonlyMap<string, string> = new Map()): string {
  const triggers = rule.transitions.map((each) =>
    each === 'threshold' && rule.threshold !== undefined ? formatThreshold(rule.threshold) : phrases[each],
  )
  const filters = rule.filters.length === 0 ? '' : ` and ${join(rule.filters.map(formatFilter), 'and')}`
  const throttle =
    rule.throttleMs === 0 ? 'each time' : `once in ${formatDuration(rule.throttleMs)} for each issue`
  const receivers = join(
    rule.actions.map((action) => formatAction(action, names)),
    'and',
  )
  return `When an issue ${join(triggers, 'or')}${filters}, tell ${receivers} ${throttle}${formatQuietHours(rule)}.`
}

/** "is new or regresses" */
export function formatTransitions(transitions: readonly AlertTransition[]): string {
  return join(
    transitions.map((each) => phrases[each]),
    'or',
  )
}

/** "its environment is production" */
export function formatFilter(filter: AlertFilter): string {
  switch (filter.kind) {
    case 'environment':
    case 'release':
      return `its ${filter.kind} is ${not(filter.is)}${filter.value}`
    case 'tag':
      return `its tag ${filter.key} is ${not(filter.is)}${filter.value}`
    case 'level':
      return `its level is ${filter.atLeast} or more severe`
    case 'assigned':
      return `it is ${not(filter.is)}assigned`
    case 'path':
      return `the path of its top in-app frame ${contains(filter.is)} ${filter.value}`
    case 'text':
      return `its text ${contains(filter.is)} "${filter.value}"`
    case 'age':
  }
  return `it is ${filter.than} than ${formatDuration(filter.ms)}`
}

/** "the assignee" */
function formatAction(action: AlertAction, names: ReadonlyMap<string, string>): string {
  switch (action.kind) {
    case 'destination':
      return names.get(action.id) ?? 'a deleted destination'
    case 'person':
      return names.get(action.id) ?? 'a former member'
    case 'members':
      return 'all members'
    case 'assignee':
      return 'the assignee'
    case 'owners':
      return 'the owners of the code'
    case 'participants':
  }
  return 'the assignee and those who commented'
}

/** The largest unit that leaves no rest below it; seconds are dropped. */
export function formatDuration(ms: number): string {
  const units = [
    { unitMs: dayMs, name: 'day' },
    { unitMs: hourMs, name: 'hour' },
  ]
  const { unitMs, name } = units.find((each) => ms >= each.unitMs && ms % each.unitMs < minuteMs) ?? {
    unitMs: minuteMs,
    name: 'minute',
  }
  const count = Math.floor(ms / unitMs)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** "has 100 or more events in 5 minutes" */
export function formatThreshold({ of, atLeast, unit, windowMs }: AlertThreshold): string {
  const window = formatDuration(windowMs)
  return unit === 'count'
    ? `has ${atLeast} or more ${of} in ${window}`
    : `has ${atLeast} % or more of the ${of} of the ${window} before`
}

function formatQuietHours({ quietHours }: AlertRule): string {
  if (quietHours === undefined) return ''
  const { from, to, timeZone, lettingFatal } = quietHours
  return `, but not from ${from} to ${to} (${timeZone})${lettingFatal ? ' unless it is fatal' : ''}`
}

function not(is: boolean): string {
  return is ? '' : 'not '
}

function contains(is: boolean): string {
  return is ? 'contains' : 'does not contain'
}

function join(parts: readonly string[], word: 'and' | 'or'): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`
}
