import type { SearchCondition, SearchExpression } from '#search/search-term.ts'
import { tagGroups } from './tag-groups.ts'

/**
 * Rows that are read for a condition, where one row at the end of an index is 1. `scan`: the usual values of
 * a key, of 1,000 at most.
 */
const reads = { column: 0.2, text: 4, seek: 2, scan: 20 }

/** Rows that are usually read to evaluate an expression for one issue. */
export function readsOf(expression: SearchExpression): number {
  switch (expression.kind) {
    case 'term':
      return readsOfCondition(expression.condition)
    case 'not':
      return readsOf(expression.of)
    case 'all':
    case 'any':
      break
  }
  return expression.of.reduce((sum, each) => sum + readsOf(each), 0)
}

function readsOfCondition(condition: SearchCondition): number {
  switch (condition.kind) {
    case 'status':
    case 'level':
    case 'type':
    case 'project':
    case 'field':
    case 'assignee':
    case 'count':
    case 'seen':
      return reads.column
    case 'state':
    case 'happened':
    case 'issue':
    case 'event':
      return reads.seek
    case 'text':
      return reads.text
    case 'version':
      return 5 * reads.seek
    case 'tag':
    case 'trait':
      break
  }
  return tagGroups(condition).reduce((sum, { by }) => sum + (by === 'scan' ? reads.scan : reads.seek), 0)
}
