import {
  fetchMonitor,
  fetchMonitorList,
  fetchNewMonitor,
  fetchStatusPage,
} from '#server/console/monitors/monitors.functions.ts'
import type { MonitorListSearch, MonitorSearch } from '#server/console/monitors/monitors.search.ts'
import { pageQuery } from './page-query.ts'

/** The monitors under the given filters: a live page. */
export function monitorListQuery(search: MonitorListSearch) {
  return pageQuery('live', ['monitors', 'list', search], ({ signal }) =>
    fetchMonitorList({ data: search, signal }),
  )
}

/** The projects in which the user may create a monitor: live, since roles change. */
export function newMonitorQuery() {
  return pageQuery('live', ['monitors', 'new'], ({ signal }) => fetchNewMonitor({ signal }))
}

/** One monitor: live, since check-ins arrive at any time. */
export function monitorQuery(names: { project: string; slug: string }, search: MonitorSearch) {
  return pageQuery('live', ['monitors', 'one', names, search], ({ signal }) =>
    fetchMonitor({ data: { ...names, ...search }, signal }),
  )
}

/** The settings of status pages: live, since monitors are added. */
export function statusPageQuery() {
  return pageQuery('live', ['monitors', 'status-page'], ({ signal }) => fetchStatusPage({ signal }))
}
