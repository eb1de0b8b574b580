import type { Event, ExceptionValue } from '#protocol/event.ts'
import type { FrameCache } from '#server/normalize/frame-cache.ts'
import type { Grouping } from './grouping.ts'
import { createInAppPredicate } from './mechanisms/v1/in-app.ts'
import { traceParts } from './mechanisms/v1/stack-trace.ts'
import { isNsError } from './mechanisms/v2.ts'

/**
 * Only saves time. Groups an event by `mechanism`, or returns the grouping of the first event with the same
 * shared stack trace, unless the mechanism uses anything else than that trace, the exception's type and the
 * platform.
 */
export function groupByTrace(
  event: Event,
  mechanism: (event: Event) => Grouping,
  { groupings }: FrameCache,
): Grouping {
  const exception = findSoleException(event)
  const trace = exception?.stackTrace
  if (trace === undefined || !groupings.has(trace.frames)) return mechanism(event)
  const { platform } = event
  const type = exception?.type
  const known = groupings.get(trace.frames)
  if (known !== undefined && known.type === type && known.platform === platform) return known.grouping
  const grouping = mechanism(event)
  // If no frame contributes, the exception's value decides.
  if (traceParts(trace, platform, createInAppPredicate([trace], platform)).length > 0)
    groupings.set(trace.frames, { type, platform, grouping })
  return grouping
}

/** The exception of an event if nothing else affects its grouping. */
function findSoleException({
  exceptions,
  threads,
  fingerprint,
  checksum,
}: Event): ExceptionValue | undefined {
  const [exception, second] = exceptions
  if (exception === undefined || second !== undefined || threads.length > 0) return undefined
  if (fingerprint !== undefined || checksum !== undefined) return undefined
  if (isNsError(exception)) return undefined
  // A synthetic exception is cached with its frames.
  return exception.mechanism?.synthetic === true ? undefined : exception
}
