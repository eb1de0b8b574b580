import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { signedIn } from '#server/auth/access.functions.ts'
import { postedForm } from '#server/console/forms/posted-form.ts'
import { getDeadLetterView, retryLetter } from './dead-letters.ts'

/** The newest dead letters. */
export const fetchDeadLetters = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .handler(({ context }) => getDeadLetterView(context.services, context.viewer))

/** What the form that runs a dead letter again posts: `PROJECT:ID`. */
export const deadLetterForm = v.object({ letter: v.pipe(v.string(), v.maxLength(60)) })

/**
 * Runs a dead letter again and answers with why it is still there, if it is; not found where there is none.
 */
export const retryDeadLetter = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(deadLetterForm))
  .handler(({ data, context }) => retryLetter(context.services, context.viewer, data.letter))
