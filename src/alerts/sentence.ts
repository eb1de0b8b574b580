import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import type { AlertAction, AlertFilter, AlertRule, AlertThreshold, CrashFreeLimit } from './rule.ts'
import { isOfProject, type AlertTransition } from './transition.ts'

/** Names of destinations and members, by id. */
export type Names = ReadonlyMap<string, string>

const phrases: Record<AlertTransition, string> = {
  new: 'is new',
  regressed: 'regresses',
  escalated: 'escalates',
  unarchived: 'is unarchived',
  assigned: 'is assigned',
  comment: 'gets a comment',
  mention: 'gets a comment that mentions a user',
  threshold: 'crosses the threshold',
  normal: 'is back to normal',
  recovered: 'is resolved because its monitor recovers',
  release: 'a release is created',
  first_event: 'the first event arrives',
  crash_free: 'the crash-free rate is too low',
  crash_free_normal: 'the crash-free rate is back to normal',
  trouble: 'an ingest problem begins',
  trouble_over: 'an ingest problem is resolved',
}

/** Describes a rule in one sentence. */
export function formatRule(rule: AlertRule, names: Names = new Map()): string {
  const about = isProjectRule(rule) ? 'project' : 'issue'
  const triggers = rule.transitions.map((each) => formatTrigger(each, rule))
  const conditions = rule.filters.map((filter) => formatFilter(filter, { about, names }))
  const filters = conditions.length === 0 ? '' : ` and ${join(conditions, 'and')}`
  const receivers = join(
    rule.actions.map((action) => formatAction(action, names)),
    'and',
  )
  const subject = about === 'issue' ? 'an issue ' : ''
  return `When ${subject}${join(triggers, 'or')}${filters}, notify ${receivers} ${formatThrottle(rule)}${formatQuietHours(rule)}.`
}

/** "once a day for each release or ingest problem" */
function formatThrottle(rule: AlertRule): string {
  if (rule.throttleMs === 0) return 'each time'
  const subjects = isProjectRule(rule)
    ? [...new Set(rule.transitions.map((each) => findSubject(each, rule)))]
    : ['issue']
  return `${formatPeriod(rule.throttleMs, 'once')} for each ${join(subjects, 'or')}`
}

/** What the throttle of a rule about projects counts separately. */
function findSubject(transition: AlertTransition, { crashFree }: AlertRule): string {
  if (transition === 'trouble' || transition === 'trouble_over') return 'ingest problem'
  if (transition === 'release') return 'release'
  const isCrashFree = transition === 'crash_free' || transition === 'crash_free_normal'
  return isCrashFree && crashFree?.isOfRelease === true ? 'release' : 'project'
}

/** True for a rule about projects, which has no transition of issues. */
export function isProjectRule({ transitions }: Pick<AlertRule, 'transitions'>): boolean {
  return transitions.length > 0 && transitions.every(isOfProject)
}

function formatTrigger(transition: AlertTransition, { threshold, crashFree }: AlertRule): string {
  if (transition === 'threshold' && threshold !== undefined) return formatThreshold(threshold)
  if (transition === 'crash_free' && crashFree !== undefined) return formatCrashFree(crashFree)
  return phrases[transition]
}

/** "is new or regresses" */
export function formatTransitions(transitions: readonly AlertTransition[]): string {
  return join(
    transitions.map((each) => phrases[each]),
    'or',
  )
}

/** "its environment is production" */
export function formatFilter(
  filter: AlertFilter,
  { about = 'issue', names }: { about?: 'issue' | 'project'; names?: Names | undefined } = {},
): string {
  switch (filter.kind) {
    case 'environment':
    case 'release':
      return `${about === 'issue' ? 'its' : 'the'} ${filter.kind} is ${not(filter.is)}${filter.value}`
    case 'tag':
      return `its tag ${filter.key} is ${not(filter.is)}${filter.value}`
    case 'level':
      return `its level is ${filter.atLeast} or more severe`
    case 'assigned':
      return `it is ${not(filter.is)}assigned`
    case 'assignee':
      return `it is ${not(filter.is)}assigned to ${names?.get(filter.id) ?? 'a member'}`
    case 'path':
      return `the path of its top in-app frame ${contains(filter.is)} ${filter.value}`
    case 'text':
      return `its text ${contains(filter.is)} "${filter.value}"`
    case 'age':
  }
  return `it is ${filter.than} than ${formatDuration(filter.ms)}`
}

/** "the assignee" */
function formatAction(action: AlertAction, names: Names): string {
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
      return 'the code owners'
    case 'participants':
      return 'the assignee and commenters'
    case 'mentioned':
      return 'the mentioned users'
    case 'admins':
  }
  return 'owners and admins'
}

/** Formats with the largest unit that leaves no remainder; seconds are dropped. */
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

/** A duration in a sentence: "once an hour", "in an hour", "in the last hour"; with 2, "once in 2 hours". */
export function formatPeriod(ms: number, lead: 'once' | 'in' | 'in the last' | 'of the'): string {
  const duration = formatDuration(ms)
  const isOne = duration.startsWith('1 ')
  const unit = duration.slice(2)
  switch (lead) {
    case 'once':
    case 'in': {
      if (isOne) return `${lead} ${unit === 'hour' ? 'an' : 'a'} ${unit}`
      return lead === 'in' ? `in ${duration}` : `once in ${duration}`
    }
    case 'in the last':
    case 'of the':
  }
  return `${lead} ${isOne ? unit : duration}`
}

/** "has 100 or more events in 5 minutes" */
export function formatThreshold({ of, atLeast, unit, windowMs }: AlertThreshold): string {
  return unit === 'count'
    ? `has ${atLeast} or more ${of} ${formatPeriod(windowMs, 'in')}`
    : `has ${atLeast}% or more of the ${of} ${formatPeriod(windowMs, 'of the')} before`
}

/** "less than 99% of 100 or more sessions in an hour are crash-free" */
function formatCrashFree({ of, below, isOfRelease, windowMs, atLeast }: CrashFreeLimit): string {
  const ofRelease = isOfRelease ? ' of a release' : ''
  return `less than ${below}% of ${atLeast} or more ${of}${ofRelease} ${formatPeriod(windowMs, 'in')} are crash-free`
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
