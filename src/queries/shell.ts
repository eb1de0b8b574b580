import { queryOptions } from '@tanstack/react-query'
import { fetchShell } from '#server/console/shell/shell.functions.ts'

/**
 * Who is signed in, and where the browser reports Culvert's own errors: fixed for as long as the page is
 * open.
 */
export function shellQuery() {
  return queryOptions({
    queryKey: ['shell'],
    queryFn: ({ signal }) => fetchShell({ signal }),
    staleTime: Infinity,
    gcTime: Infinity,
  })
}
