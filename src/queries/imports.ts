import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchImport } from '#server/console/imports/imports.functions.ts'

/** Milliseconds between two reads of a running import. */
const pollMs = 2_000

/** The import of the console, reloaded while it runs. */
export function importQuery() {
  return queryOptions({
    queryKey: ['settings', 'import'],
    queryFn: ({ signal }) => fetchImport({ signal }),
    ...queryTimes('live'),
    refetchInterval: ({ state }) => (state.data?.job?.isAtWork === true ? pollMs : false),
  })
}
