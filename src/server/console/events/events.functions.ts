import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { signedIn } from '#server/auth/session-middleware.functions.ts'
import { orNotFound } from '#server/router.ts'
import { findEventView, listDigestView } from './events.ts'

/** An event by its id, in any project; not found if it does not exist. */
export const fetchEvent = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(v.object({ eventId: v.pipe(v.string(), v.maxLength(40)) }))
  .handler(({ data, context }) => orNotFound(findEventView(context.services, context.viewer, data.eventId)))

/** The events that a digest can identify: one, several or none. */
export const fetchDigest = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .validator(v.object({ digest: v.pipe(v.string(), v.maxLength(200)) }))
  .handler(({ data, context }) => listDigestView(context.services, context.viewer, data.digest))
