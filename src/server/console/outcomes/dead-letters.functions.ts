import { createServerFn } from '@tanstack/react-start'
import { signedIn } from '#server/auth/session-middleware.functions.ts'
import { getDeadLetterView } from './dead-letters.ts'

/** The newest dead letters. */
export const fetchDeadLetters = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .handler(({ context }) => getDeadLetterView(context.services, context.viewer))
