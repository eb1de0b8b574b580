import { queryOptions } from '@tanstack/react-query'
import { fetchShell } from '#server/console/shell/shell.functions.ts'

/** The signed-in user, and settings for reporting Culvert's own errors: constant for an open page. */
export function shellQuery() {
  return queryOptions({
    queryKey: ['shell'],
    queryFn: ({ signal }) => fetchShell({ signal }),
    staleTime: Infinity,
    gcTime: Infinity,
  })
}
