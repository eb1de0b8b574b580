import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import {
  fetchMonitor,
  fetchMonitorList,
  fetchNewMonitor,
  fetchStatusPage,
} from '#server/console/monitors/monitors.functions.ts'
import type { MonitorListSearch, MonitorSearch } from '#server/console/monitors/monitors.search.ts'

/** The monitors under the given filters: a live page. */
export function monitorListQuery(search: MonitorListSearch) {
  return queryOptions({
    queryKey: ['monitors', 'list', search],
    queryFn: ({ signal }) => fetchMonitorList({ data: search, signal }),
    ...queryTimes('live'),
  })
}

/** The projects in which the user may create a monitor: live, since roles change. */
export function newMonitorQuery() {
  return queryOptions({
    queryKey: ['monitors', 'new'],
    queryFn: ({ signal }) => fetchNewMonitor({ signal }),
    ...queryTimes('live'),
  })
}

/** One monitor: live, since check-ins arrive at any time. */
export function monitorQuery(names: { project: string; slug: string }, search: MonitorSearch) {
  return queryOptions({
    queryKey: ['monitors', 'one', names, search],
    queryFn: ({ signal }) => fetchMonitor({ data: { ...names, ...search }, signal }),
    ...queryTimes('live'),
  })
}

/** The settings of status pages: live, since monitors are added. */
export function statusPageQuery() {
  return queryOptions({
    queryKey: ['monitors', 'status-page'],
    queryFn: ({ signal }) => fetchStatusPage({ signal }),
    ...queryTimes('live'),
  })
}
