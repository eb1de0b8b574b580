import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { getDeadLetterView } from './dead-letters.ts'

/** The newest dead letters. */
export const fetchDeadLetters = signedInFn().handler(({ context }) =>
  getDeadLetterView(context.services, context.viewer),
)
