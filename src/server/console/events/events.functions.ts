import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { orNotFound, sendTo } from '#server/router.ts'
import { findEventView, findTraceHref, listDigestView } from './events.ts'

/**
 * An event by its id, in any project. A transaction is shown in its trace, so its id redirects there. Not
 * found if there is neither.
 */
export const fetchEvent = signedInFn()
  .validator(v.object({ eventId: v.pipe(v.string(), v.maxLength(40)) }))
  .handler(async ({ data: { eventId }, context: { services, viewer } }) => {
    const view = await findEventView(services, viewer, eventId)
    return view ?? sendTo(await orNotFound(findTraceHref(services, viewer, eventId)))
  })

/** The events that a digest can identify: one, several or none. */
export const fetchDigest = signedInFn()
  .validator(v.object({ digest: v.pipe(v.string(), v.maxLength(200)) }))
  .handler(({ data, context }) => listDigestView(context.services, context.viewer, data.digest))
