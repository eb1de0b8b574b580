import type { ApiRoute } from './api-route.ts'
import { artifactRoutes } from './artifact-routes.ts'
import { commentRoutes } from './comment-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { issueRoutes } from './issue-routes.ts'
import { peopleRoutes } from './people-routes.ts'
import { projectRoutes } from './project-routes.ts'
import { releaseRoutes } from './release-routes.ts'

/** Every endpoint of the API. */
export const apiRoutes: readonly ApiRoute[] = [
  ...projectRoutes,
  ...peopleRoutes,
  ...issueRoutes,
  ...commentRoutes,
  ...eventRoutes,
  ...releaseRoutes,
  ...artifactRoutes,
]
