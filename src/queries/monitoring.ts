import { queryOptions } from '@tanstack/react-query'
import { fetchMonitoringConfig } from '#server/console/monitoring.functions.ts'

/** Where the browser reports Culvert's own errors: fixed for as long as the page is open. */
export function monitoringConfigQuery() {
  return queryOptions({
    queryKey: ['monitoring'],
    queryFn: ({ signal }) => fetchMonitoringConfig({ signal }),
    staleTime: Infinity,
    gcTime: Infinity,
  })
}
