import { searchedStatuses } from './term.ts'
import type { ParsedSearch, SearchCondition, SearchExpression, SearchedStatus } from './term.ts'

/** Every issue. */
export const everything: SearchExpression = { kind: 'all', of: [] }

/** A complete search as one expression. */
export function toExpression({ parts }: Pick<ParsedSearch, 'parts'>): SearchExpression {
  return allOf(parts.map(({ expression }) => expression))
}

/** The conjunction, flattened. */
export function allOf(expressions: readonly SearchExpression[]): SearchExpression {
  return joined('all', expressions)
}

/** The disjunction, flattened. */
export function anyOf(expressions: readonly SearchExpression[]): SearchExpression {
  return joined('any', expressions)
}

function joined(kind: 'all' | 'any', expressions: readonly SearchExpression[]): SearchExpression {
  const of = expressions.flatMap((each) => (each.kind === kind ? each.of : [each]))
  const [only, second] = of
  return only !== undefined && second === undefined ? only : { kind, of }
}

/** The negation of an expression; two negations cancel out. */
export function negated(expression: SearchExpression): SearchExpression {
  return expression.kind === 'not' ? expression.of : { kind: 'not', of: expression }
}

/** The conditions of an expression, in its order. */
export function listConditions(expression: SearchExpression): SearchCondition[] {
  switch (expression.kind) {
    case 'term':
      return [expression.condition]
    case 'not':
      return listConditions(expression.of)
    case 'all':
    case 'any':
      break
  }
  return expression.of.flatMap(listConditions)
}

/**
 * Simplifies an expression with known conditions: true or false if they determine it, else the remaining
 * expression. `known` returns the value of a condition, undefined if it is unknown.
 */
export function decide(
  expression: SearchExpression,
  known: (condition: SearchCondition) => boolean | undefined,
): SearchExpression | boolean {
  switch (expression.kind) {
    case 'term':
      return known(expression.condition) ?? expression
    case 'not': {
      const decided = decide(expression.of, known)
      return typeof decided === 'boolean' ? !decided : negated(decided)
    }
    case 'all':
    case 'any':
      break
  }
  // One false makes "and" false, one true makes "or" true; the other values are neutral.
  const decisive = expression.kind === 'any'
  const open: SearchExpression[] = []
  for (const each of expression.of) {
    const decided = decide(each, known)
    if (decided === decisive) return decisive
    if (typeof decided !== 'boolean') open.push(decided)
  }
  return open.length === 0 ? !decisive : joined(expression.kind, open)
}

/** The statuses that matching issues can have. */
export function listPossibleStatuses(expression: SearchExpression): SearchedStatus[] {
  return searchedStatuses.filter(
    (status) =>
      decide(expression, (condition) =>
        condition.kind === 'status' ? condition.statuses.includes(status) : undefined,
      ) !== false,
  )
}

/** The statuses to which a search is limited; undefined for all. */
export function findSearchedStatuses(search: Pick<ParsedSearch, 'parts'>): SearchedStatus[] | undefined {
  const possible = listPossibleStatuses(toExpression(search))
  return possible.length < searchedStatuses.length ? possible : undefined
}

/** Removes the parts that only test the status, for the tabs of the stream. */
export function inEveryStatus(expression: SearchExpression): SearchExpression {
  const parts = expression.kind === 'all' ? expression.of : [expression]
  return allOf(parts.filter((part) => !isOfStatus(part)))
}

function isOfStatus(expression: SearchExpression): boolean {
  const conditions = listConditions(expression)
  return conditions.length > 0 && conditions.every(({ kind }) => kind === 'status')
}

/** The text of a search without the parts that only test the status. */
export function withoutStatuses(text: string, { parts }: Pick<ParsedSearch, 'parts'>): string {
  let rest = text
  for (const { expression, start, end } of parts.toReversed()) {
    if (isOfStatus(expression)) rest = `${rest.slice(0, start)}${rest.slice(end).trimStart()}`
  }
  return rest.trim()
}
