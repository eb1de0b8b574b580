import { createServerFn } from '@tanstack/react-start'
import { listProjectView } from './projects.ts'

/** Every project with its DSN and what came in lately. */
export const fetchProjectList = createServerFn({ method: 'GET' }).handler(({ context }) =>
  listProjectView(context.services),
)
