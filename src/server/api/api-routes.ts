import type { ApiRoute } from './api-route.ts'
import { artifactRoutes } from './artifact-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { issueRoutes } from './issue-routes.ts'
import { projectRoutes } from './project-routes.ts'
import { releaseRoutes } from './release-routes.ts'

/** Every endpoint of the API. */
export const apiRoutes: readonly ApiRoute[] = [
  ...projectRoutes,
  ...issueRoutes,
  ...eventRoutes,
  ...releaseRoutes,
  ...artifactRoutes,
]
