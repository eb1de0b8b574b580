import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchImport } from '#server/console/imports/imports.functions.ts'

/** Milliseconds between two looks at an import that is at work. */
const lookMs = 2_000

/** The import of the console, loaded again while it is at work. */
export function importQuery() {
  return queryOptions({
    queryKey: ['settings', 'import'],
    queryFn: ({ signal }) => fetchImport({ signal }),
    ...queryTimes('live'),
    refetchInterval: ({ state }) => (state.data?.job?.isAtWork === true ? lookMs : false),
  })
}
