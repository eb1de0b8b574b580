import type { Event, Frame, StackTrace } from '#protocol/event.ts'

/** Every frame of an event's exceptions and threads. */
export function* eventFrames({ exceptions, threads }: Event): Generator<Frame> {
  for (const { stackTrace } of exceptions) yield* stackTrace?.frames ?? []
  for (const { stackTrace } of threads) yield* stackTrace?.frames ?? []
}

/**
 * The event with each stack trace as the function has it, and what it was before as `rawStackTrace`. A
 * function that returns the trace it was given leaves that one alone.
 */
export function mapTraces(event: Event, change: (trace: StackTrace) => StackTrace): Event {
  const changeOne = <T extends { stackTrace?: StackTrace; rawStackTrace?: StackTrace }>(holder: T): T => {
    if (holder.stackTrace === undefined) return holder
    const stackTrace = change(holder.stackTrace)
    return stackTrace === holder.stackTrace
      ? holder
      : { ...holder, stackTrace, rawStackTrace: withoutDetails(holder.stackTrace) }
  }
  return { ...event, exceptions: event.exceptions.map(changeOne), threads: event.threads.map(changeOne) }
}

/** What text is made of: minified lines and variables stay with the other one, or are of no use. */
function withoutDetails({ frames }: StackTrace): StackTrace {
  return {
    frames: frames.map(
      ({ contextLine: _line, preContext: _pre, postContext: _post, vars: _vars, ...frame }) => frame,
    ),
  }
}
