import {
  fetchMonitor,
  fetchMonitorList,
  fetchNewMonitor,
  fetchStatusPage,
} from '#server/console/monitors/monitors.functions.ts'
import type { MonitorListSearch, MonitorSearch } from '#server/console/monitors/monitors.search.ts'
import { pageQuery, pageQueryFor } from './page-query.ts'

/** The monitors under the given filters: a live page. */
export function monitorListQuery(search: MonitorListSearch) {
  return pageQueryFor(['monitors', 'list'], fetchMonitorList, search)
}

/** The projects in which the user may create a monitor: live, since roles change. */
export function newMonitorQuery() {
  return pageQuery(['monitors', 'new'], fetchNewMonitor)
}

/** One monitor: live, since check-ins arrive at any time. */
export function monitorQuery(names: { project: string; slug: string }, search: MonitorSearch) {
  return pageQueryFor(['monitors', 'one'], fetchMonitor, { ...names, ...search })
}

/** The settings of status pages: live, since monitors are added. */
export function statusPageQuery() {
  return pageQuery(['monitors', 'status-page'], fetchStatusPage)
}
