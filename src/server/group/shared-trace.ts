import type { Event, ExceptionValue, Frame } from '#protocol/event.ts'
import type { Grouping } from './group-event.ts'
import { createAppJudge } from './mechanisms/v1/in-app.ts'
import { traceParts } from './mechanisms/v1/stack-trace.ts'

/** The grouping of an event with a shared stack trace. */
interface Known {
  type: string | undefined
  platform: string
  grouping: Grouping
}

const known = new WeakMap<Frame[], Known>()

/**
 * Groups an event by `mechanism`; an event with a known stack trace, as most have, reuses the grouping of the
 * first event with that trace. The mechanism runs nevertheless if it uses anything except that trace, the
 * exception's type and the platform.
 */
export function groupByTrace(event: Event, mechanism: (event: Event) => Grouping): Grouping {
  const exception = findSoleException(event)
  const trace = exception?.stackTrace
  if (trace?.isShared !== true) return mechanism(event)
  const { frames } = trace
  const { platform } = event
  const type = exception?.type
  const before = known.get(frames)
  if (before !== undefined && before.type === type && before.platform === platform) return before.grouping
  const grouping = mechanism(event)
  // Of frames that say nothing, the exception's value decides.
  if (traceParts(trace, platform, createAppJudge([trace], platform)).length > 0)
    known.set(frames, { type, platform, grouping })
  return grouping
}

/** The exception of an event in which nothing else has a say in its grouping. */
function findSoleException({
  exceptions,
  threads,
  fingerprint,
  checksum,
}: Event): ExceptionValue | undefined {
  const [exception, second] = exceptions
  if (exception === undefined || second !== undefined || threads.length > 0) return undefined
  if (fingerprint !== undefined || checksum !== undefined) return undefined
  // A synthetic exception is cached with its frames.
  return exception.mechanism?.synthetic === true ? undefined : exception
}
