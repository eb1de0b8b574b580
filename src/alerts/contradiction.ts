import type { AlertFilter, AlertRule } from './rule.ts'

/** Why a rule can never fire, at the field that has to change. */
export interface Contradiction {
  field: 'transitions' | 'threshold' | 'filters'
  message: string
}

/** Finds the first reason why no transition can match a rule. */
export function findContradiction({ transitions, threshold, filters }: AlertRule): Contradiction | undefined {
  const hasThreshold = transitions.includes('threshold')
  if (hasThreshold && threshold === undefined)
    return { field: 'threshold', message: 'Say at how many events or users the threshold is.' }
  if (!hasThreshold && threshold !== undefined)
    return {
      field: 'transitions',
      message: 'The threshold has no effect: choose the transition "threshold" too.',
    }
  if (transitions.includes('normal') && !hasThreshold)
    return {
      field: 'transitions',
      message: 'Only after a threshold an issue is back to normal: add a threshold, or remove "normal".',
    }
  const message = findEmptyFilters(filters) ?? findMissedTransitions(transitions, filters)
  return message === undefined ? undefined : { field: 'filters', message }
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

/** Why two filters match nothing together. */
function findConflict(one: AlertFilter, other: AlertFilter): string | undefined {
  if (one.kind === 'assigned' && other.kind === 'assigned')
    return one.is === other.is ? undefined : 'an issue is either assigned or not'
  if (one.kind === 'age' && other.kind === 'age') {
    if (one.than === other.than) return undefined
    const [older, newer] = one.than === 'older' ? [one, other] : [other, one]
    return newer.ms <= older.ms ? 'no issue is older than the one age and newer than the other' : undefined
  }
  const [value, otherValue] = [toExact(one), toExact(other)]
  if (value === undefined || otherValue === undefined || value.name !== otherValue.name) return undefined
  const isSame = value.value === otherValue.value
  if (value.is && otherValue.is) return isSame ? undefined : `${value.name} cannot have two values`
  return isSame && value.is !== otherValue.is
    ? `${value.name} cannot be "${value.value}" and something else`
    : undefined
}

function toExact(filter: AlertFilter): { name: string; is: boolean; value: string } | undefined {
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
  if (isOnly('new') && filters.some((each) => each.kind === 'assigned' && each.is))
    return 'This rule can never fire: nobody is assigned to a new issue. Remove the filter, or choose another transition.'
  return undefined
}
