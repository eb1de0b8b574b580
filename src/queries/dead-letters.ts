import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchDeadLetters } from '#server/console/outcomes/dead-letters.functions.ts'

/** The newest dead letters: a live page. */
export function deadLettersQuery() {
  return queryOptions({
    queryKey: ['dead-letters'],
    queryFn: ({ signal }) => fetchDeadLetters({ signal }),
    ...queryTimes('live'),
  })
}
