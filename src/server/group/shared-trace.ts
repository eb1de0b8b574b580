import type { Event, ExceptionValue, Frame } from '#protocol/event.ts'
import type { Grouping } from './group-event.ts'
import { createAppJudge } from './mechanisms/v1/in-app.ts'
import { traceParts } from './mechanisms/v1/stack-trace.ts'

/** What an event was grouped by whose stack trace others have too. */
interface Known {
  type: string | undefined
  platform: string
  grouping: Grouping
}

const known = new WeakMap<Frame[], Known>()

/**
 * Groups an event by `mechanism`; one whose stack trace came before, as most do, is grouped like the event that brought it.
 * The mechanism is asked all the same where it looks at anything but that trace, the exception's type and the platform.
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
  // What is known of a made-up one stands beside its frames.
  return exception.mechanism?.synthetic === true ? undefined : exception
}
