import { dayMs } from '#time/time-steps.ts'
import { allOf, anyOf, negated } from './expression.ts'
import { readChoices } from './read-choice.ts'
import { searchedStatuses, type SearchCondition, type SearchExpression, type SearchedStatus } from './term.ts'
import { read, type Read } from './values.ts'

const term = (condition: SearchCondition): SearchExpression => ({ kind: 'term', condition })

/** Sentry's other names of statuses. */
const sentryStatuses: Record<string, SearchedStatus> = { ignored: 'archived', muted: 'archived' }

const newIssueMs = dayMs

/** Parses the value of `is:`. */
export function readIs(name: string, text: string, values: readonly string[]): Read<SearchExpression> {
  const found = readChoices(name, text, { known: values, hidden: Object.keys(sentryStatuses) })
  if (!found.ok) return found
  return read(anyOf(found.value.map(toIssueState)))
}

const hasStatus = (status: SearchedStatus) => term({ kind: 'status', statuses: [status] })
const inStatus = (status: SearchedStatus, state: SearchExpression) => allOf([hasStatus(status), state])

function toIssueState(value: string): SearchExpression {
  const isNew = term({ kind: 'seen', which: 'first', from: { agoMs: newIssueMs } })
  const isRegressed = term({ kind: 'state', state: 'regressed' })
  const isEscalating = term({ kind: 'state', state: 'escalating' })
  switch (value) {
    case 'new':
      return isNew
    case 'regressed':
      return isRegressed
    case 'escalating':
      return inStatus('unresolved', isEscalating)
    case 'ongoing':
      return inStatus('unresolved', negated(anyOf([isNew, isRegressed, isEscalating])))
    case 'archived_until_escalating':
      return inStatus('archived', term({ kind: 'state', state: 'waits_for_escalation' }))
    case 'archived_until_condition_met':
      return inStatus('archived', term({ kind: 'state', state: 'waits' }))
    case 'archived_forever':
      return inStatus('archived', term({ kind: 'state', state: 'closed_for_good' }))
    case 'assigned':
      return term({ kind: 'assignee', assignees: [{ kind: 'anyone' }] })
    case 'unassigned':
      return term({ kind: 'assignee', assignees: [{ kind: 'none' }] })
    case 'for_me':
      return term({ kind: 'assignee', assignees: [{ kind: 'me' }] })
    default:
      return hasStatus(
        searchedStatuses.find((status) => status === value) ?? sentryStatuses[value] ?? 'unresolved',
      )
  }
}
