import type { ApiRoute } from './api-route.ts'
import { artifactRoutes } from './artifacts/routes.ts'
import { committersRoute } from './events/committers-route.ts'
import { eventRoutes } from './events/routes.ts'
import { commentRoutes } from './issues/comment-routes.ts'
import { issueRoutes } from './issues/routes.ts'
import { peopleRoutes } from './projects/people-routes.ts'
import { projectRoutes } from './projects/routes.ts'
import { releaseRoutes } from './releases/routes.ts'
import { ruleRoutes } from './rules/routes.ts'
import { eventSeriesRoute } from './series/event-series-route.ts'
import { eventTableRoute } from './series/events-route.ts'
import { outcomesRoute } from './series/outcomes-route.ts'
import { sessionsRoute } from './series/sessions-route.ts'
import { attributesRoute, tagsRoute } from './series/tags-route.ts'

/** Every endpoint of the API. */
export const apiRoutes: readonly ApiRoute[] = [
  ...projectRoutes,
  ...peopleRoutes,
  ...issueRoutes,
  ...commentRoutes,
  ...eventRoutes,
  committersRoute,
  ...releaseRoutes,
  ...artifactRoutes,
  ...ruleRoutes,
  eventTableRoute,
  eventSeriesRoute,
  outcomesRoute,
  sessionsRoute,
  tagsRoute,
  attributesRoute,
]
