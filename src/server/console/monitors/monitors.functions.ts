import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { orNotFound } from '#server/router.ts'
import { monitorListSearch, monitorSearch } from './monitors.search.ts'
import { findMonitorView, getNewMonitorView, listMonitorView } from './monitors.ts'
import { getStatusPageView } from './status-page.ts'

const slug = v.pipe(v.string(), v.maxLength(100))

/** The monitors under the filters of the URL. */
export const fetchMonitorList = signedInFn()
  .validator(monitorListSearch)
  .handler(({ data, context }) => listMonitorView(context.services, context.viewer, data))

/** The projects in which the viewer may create a monitor. */
export const fetchNewMonitor = signedInFn().handler(({ context }) =>
  getNewMonitorView(context.services, context.viewer),
)

/** One monitor. Not found if no accessible project has it. */
export const fetchMonitor = signedInFn()
  .validator(v.object({ project: slug, slug, ...monitorSearch.entries }))
  .handler(({ data, context }) => orNotFound(findMonitorView(context.services, context.viewer, data)))

/** The status pages of the organizations that the viewer may configure. */
export const fetchStatusPage = signedInFn().handler(({ context }) =>
  getStatusPageView(context.services, context.viewer),
)
