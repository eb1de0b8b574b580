import { toExpression } from '#search/expression.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { SearchExpression } from '#search/term.ts'
import { errorAnswer } from '#server/api/api-answer.ts'
import type { ReadParameters } from '#server/api/read-cursor.ts'
import type { EventTag } from '#server/store/issues/tag-hash.ts'

/**
 * Parses the query of an issue's events: tags, each with one value. Rejects everything else, so that a script
 * does not take all events for those that it searched.
 */
export function readEventTags(query: string): ReadParameters<EventTag[]> {
  const parsed = parseSearch(query)
  const [problem] = parsed.problems
  if (problem !== undefined) return rejected(problem.message)
  const expression = toExpression(parsed)
  const parts = expression.kind === 'all' ? expression.of : [expression]
  const tags = parts.map(toTag).filter((tag) => tag !== undefined)
  return tags.length === parts.length ? { ok: true, value: tags } : rejected(onlyTags)
}

function rejected(detail: string): ReadParameters<never> {
  return { ok: false, error: errorAnswer(400, detail) }
}

const onlyTags =
  'Events of an issue are found by tags, each with one value: environment:production browser.name:Firefox user.id:7.'

/** These are a part of the tag `user` or tags of their own, depending on the other fields of the user. */
const ambiguous = new Set(['user.username', 'user.email', 'user.ip'])

function toTag(expression: SearchExpression): EventTag | undefined {
  const condition = expression.kind === 'term' ? expression.condition : undefined
  if (condition?.kind === 'level') {
    const [level, another] = condition.levels
    return level === undefined || another !== undefined ? undefined : ['level', level]
  }
  if (condition?.kind !== 'tag' || ambiguous.has(condition.key)) return undefined
  const [value, another] = condition.values
  const [text, more] = value?.pieces ?? []
  if (text === undefined || another !== undefined || more !== undefined) return undefined
  return condition.key === 'user.id' ? ['user', `id:${text}`] : [condition.key, text]
}
