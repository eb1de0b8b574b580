import type { ApiRoute } from './api-route.ts'
import { artifactRoutes } from './artifacts/routes.ts'
import { formRoutes } from './console/forms-routes.ts'
import { committersRoute } from './events/committers-route.ts'
import { eventRoutes } from './events/routes.ts'
import { activityRoutes } from './issues/activity-route.ts'
import { commentRoutes } from './issues/comment-routes.ts'
import { deletionRoutes } from './issues/deletion-routes.ts'
import { linkRoutes } from './issues/link-routes.ts'
import { issueRoutes } from './issues/routes.ts'
import { monitorRoutes } from './monitors/routes.ts'
import { uptimeRoutes } from './monitors/uptime-routes.ts'
import { peopleRoutes } from './projects/people-routes.ts'
import { projectRoutes } from './projects/routes.ts'
import { releaseRoutes } from './releases/routes.ts'
import { ruleRoutes } from './rules/routes.ts'
import { eventCountsRoute } from './series/event-counts-route.ts'
import { eventSeriesRoute } from './series/event-series-route.ts'
import { eventTableRoute } from './series/events-route.ts'
import { outcomesRoute } from './series/outcomes-route.ts'
import { sessionMetricsRoute, sessionsRoute } from './series/sessions-route.ts'
import { attributesRoute, tagsRoute } from './series/tags-route.ts'
import { timeSeriesRoute } from './series/time-series-route.ts'
import { traceRoutes } from './traces/routes.ts'

/** Endpoints of one subject. */
interface ApiGroup {
  name: string
  routes: readonly ApiRoute[]
}

/** Every endpoint of the API, by subject. */
export const apiGroups: readonly ApiGroup[] = [
  { name: 'Organizations and projects', routes: [...projectRoutes, tagsRoute] },
  { name: 'Members', routes: peopleRoutes },
  {
    name: 'Issues',
    routes: [...issueRoutes, ...deletionRoutes, ...activityRoutes, ...commentRoutes, ...linkRoutes],
  },
  { name: 'Events', routes: [...eventRoutes, committersRoute, eventTableRoute] },
  { name: 'Traces', routes: traceRoutes },
  {
    name: 'Counts over time',
    routes: [
      eventSeriesRoute,
      timeSeriesRoute,
      outcomesRoute,
      eventCountsRoute,
      sessionsRoute,
      sessionMetricsRoute,
      attributesRoute,
    ],
  },
  { name: 'Releases and deploys', routes: releaseRoutes },
  { name: 'Source maps', routes: artifactRoutes },
  { name: 'Monitors', routes: monitorRoutes },
  { name: 'Uptime', routes: uptimeRoutes },
  { name: 'Alert rules', routes: ruleRoutes },
  { name: 'Console forms', routes: formRoutes },
]

/** Every endpoint of the API. */
export const apiRoutes: readonly ApiRoute[] = apiGroups.flatMap(({ routes }) => routes)
