import { fetchDeadLetters } from '#server/console/outcomes/dead-letters.functions.ts'
import { pageQuery } from './page-query.ts'

/** The newest dead letters: a live page. */
export function deadLettersQuery() {
  return pageQuery(['dead-letters'], fetchDeadLetters)
}
