import type { AlertAction, AlertFilter, AlertRule } from './rule.ts'
import { isOfProject } from './transition.ts'

/** The reason why a rule can never fire, and the field that has to change. */
export interface Contradiction {
  field: 'transitions' | 'threshold' | 'crashFree' | 'filters' | 'actions'
  message: string
}

/** Finds the first reason why no transition can match a rule. */
export function findContradiction(rule: AlertRule): Contradiction | undefined {
  const { transitions, filters } = rule
  const found = findMissingLimit(rule) ?? findMixture(rule)
  if (found !== undefined) return found
  const message = findEmptyFilters(filters) ?? findMissedTransitions(transitions, filters)
  return message === undefined ? undefined : { field: 'filters', message }
}

/** A threshold or a crash-free rate without its transition, or the reverse. */
function findMissingLimit({ transitions, threshold, crashFree }: AlertRule): Contradiction | undefined {
  const hasThreshold = transitions.includes('threshold')
  if (hasThreshold && threshold === undefined)
    return { field: 'threshold', message: 'Enter the number of events or users of the threshold.' }
  if (!hasThreshold && threshold !== undefined)
    return {
      field: 'transitions',
      message: 'The threshold has no effect: choose the transition "threshold" too.',
    }
  if (transitions.includes('normal') && !hasThreshold)
    return {
      field: 'transitions',
      message: 'An issue is back to normal only after a threshold: add a threshold, or remove "normal".',
    }
  const hasCrashFree = transitions.includes('crash_free')
  if (hasCrashFree && crashFree === undefined)
    return { field: 'crashFree', message: 'Enter the crash-free rate below which the rule sends an alert.' }
  if (!hasCrashFree && crashFree !== undefined)
    return {
      field: 'transitions',
      message: 'The crash-free rate has no effect: choose the transition "crash_free" too.',
    }
  if (transitions.includes('crash_free_normal') && !hasCrashFree)
    return {
      field: 'transitions',
      message:
        'A crash-free rate is back to normal only after it was too low: add one, or remove "crash_free_normal".',
    }
  if (transitions.includes('trouble_over') && !transitions.includes('trouble'))
    return {
      field: 'transitions',
      message: 'An ingest problem is resolved only after it began: add "trouble", or remove "trouble_over".',
    }
  return undefined
}

/** Receivers that only issues have. */
const issueReceivers = new Set<AlertAction['kind']>(['assignee', 'participants', 'mentioned', 'owners'])

/** Filters that only issues have. */
const issueFilters = new Set<AlertFilter['kind']>(['tag', 'level', 'assigned', 'assignee', 'path', 'age'])

function isEnvironmentOrRelease({ kind }: AlertFilter): boolean {
  return kind === 'environment' || kind === 'release'
}

/** A rule is about issues or about projects: a filter of one would never match the other. */
function findMixture({ transitions, filters, actions }: AlertRule): Contradiction | undefined {
  const ofProject = transitions.filter(isOfProject)
  if (ofProject.length === 0) return undefined
  if (ofProject.length < transitions.length)
    return {
      field: 'transitions',
      message: `A rule is about issues or about the project: add a separate rule for "${ofProject[0]}".`,
    }
  const filter = filters.find(({ kind }) => issueFilters.has(kind))
  if (filter !== undefined)
    return {
      field: 'filters',
      message: `This rule can never fire: only an issue has the filter "${filter.kind}". Use environment, release or text.`,
    }
  if (transitions.some((each) => each.startsWith('trouble')) && filters.some(isEnvironmentOrRelease))
    return {
      field: 'filters',
      message:
        'An ingest problem has no environment and no release: remove the filter, or add a separate rule.',
    }
  const onlyIssues = actions.every(({ kind }) => issueReceivers.has(kind))
  if (onlyIssues)
    return {
      field: 'actions',
      message:
        'This rule can never notify a user: a project has no assignee. Choose members or a destination.',
    }
  return undefined
}

function findEmptyFilters(filters: readonly AlertFilter[]): string | undefined {
  for (const [at, one] of filters.entries()) {
    for (const other of filters.slice(at + 1)) {
      const reason = findConflict(one, other)
      if (reason !== undefined) return `This rule can never fire: ${reason}. Remove one of these filters.`
    }
  }
  return undefined
}

/** The reason why two filters cannot match together. */
function findConflict(one: AlertFilter, other: AlertFilter): string | undefined {
  if (one.kind === 'assigned' && other.kind === 'assigned')
    return one.is === other.is ? undefined : 'an issue is either assigned or not'
  const [assigned, assignee] = one.kind === 'assigned' ? [one, other] : [other, one]
  if (assigned.kind === 'assigned' && !assigned.is && assignee.kind === 'assignee' && assignee.is)
    return 'an issue without an assignee is not assigned to a member'
  if (one.kind === 'age' && other.kind === 'age') {
    if (one.than === other.than) return undefined
    const [older, newer] = one.than === 'older' ? [one, other] : [other, one]
    return newer.ms <= older.ms ? 'no issue matches both ages' : undefined
  }
  const [value, otherValue] = [toExact(one), toExact(other)]
  if (value === undefined || otherValue === undefined || value.name !== otherValue.name) return undefined
  const isSame = value.value === otherValue.value
  // Events of an issue may have had several environments.
  if (value.is && otherValue.is)
    return isSame || one.kind === 'environment' ? undefined : `${value.name} cannot have two values`
  return isSame && value.is !== otherValue.is
    ? `${value.name} cannot be "${value.value}" and something else`
    : undefined
}

function toExact(filter: AlertFilter): { name: string; is: boolean; value: string } | undefined {
  if (filter.kind === 'assignee') return { name: 'the assignee', is: filter.is, value: filter.id }
  if (filter.kind === 'environment' || filter.kind === 'release')
    return { name: `the ${filter.kind}`, is: filter.is, value: filter.value }
  return filter.kind === 'tag'
    ? { name: `the tag ${filter.key}`, is: filter.is, value: filter.value }
    : undefined
}

function findMissedTransitions(
  transitions: AlertRule['transitions'],
  filters: readonly AlertFilter[],
): string | undefined {
  const isOnly = (kind: (typeof transitions)[number]) => transitions.every((each) => each === kind)
  if (
    isOnly('new') &&
    filters.some(({ kind, ...rest }) => kind === 'age' && 'than' in rest && rest.than === 'older')
  )
    return 'This rule can never fire: an issue is new only when it is first seen. Remove the age, or choose another transition.'
  if (
    isOnly('new') &&
    filters.some((each) => (each.kind === 'assigned' || each.kind === 'assignee') && each.is)
  )
    return 'This rule can never fire: a new issue has no assignee. Remove the filter, or choose another transition.'
  return undefined
}
