import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { outcomeSearch } from './outcomes.search.ts'
import { getOutcomeView } from './outcomes.ts'

/** The received items of a period and their outcomes. */
export const fetchOutcomes = signedInFn()
  .validator(outcomeSearch)
  .handler(({ data, context }) => getOutcomeView(context.services, context.viewer, data))
