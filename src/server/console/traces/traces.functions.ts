import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { orNotFound } from '#server/router.ts'
import { findSpanView, findTraceView } from './traces.ts'

const traceId = v.pipe(v.string(), v.maxLength(40))

/**
 * A trace by its id, in all projects of the viewer, with the rows of the first screen or all rows. Not found
 * if the id is invalid.
 */
export const fetchTrace = signedInFn()
  .validator(v.object({ traceId, isWhole: v.optional(v.boolean(), false) }))
  .handler(({ data, context }) => orNotFound(findTraceView(context.services, context.viewer, data)))

/** A span of a trace with its attributes; null if it is not stored. */
export const fetchSpan = signedInFn()
  .validator(v.object({ traceId, spanId: v.pipe(v.string(), v.maxLength(200)) }))
  .handler(async ({ data, context }) => (await findSpanView(context.services, context.viewer, data)) ?? null)
