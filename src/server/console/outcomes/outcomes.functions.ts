import { createServerFn } from '@tanstack/react-start'
import { signedIn } from '#server/auth/access.functions.ts'
import { outcomeSearch } from './outcomes.search.ts'
import { getOutcomeView } from './outcomes.ts'

/** What came in during a period and what became of it. */
export const fetchOutcomes = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(outcomeSearch)
  .handler(({ data, context }) => getOutcomeView(context.services, context.viewer, data))
