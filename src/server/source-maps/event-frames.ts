import type { Event, Frame, StackTrace } from '#protocol/event.ts'

/** Iterates over the frames of an event's exceptions and threads. */
export function* eventFrames({ exceptions, threads }: Event): Generator<Frame> {
  for (const { stackTrace } of exceptions) yield* stackTrace?.frames ?? []
  for (const { stackTrace } of threads) yield* stackTrace?.frames ?? []
}

/**
 * Replaces each stack trace with the result of `change` and keeps the original as `rawStackTrace`. A trace
 * that `change` returns as is stays unchanged.
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

/** Removes source lines and variables, which stay with the mapped trace or are useless. */
function withoutDetails({ frames }: StackTrace): StackTrace {
  return {
    frames: frames.map(
      ({ contextLine: _line, preContext: _pre, postContext: _post, vars: _vars, ...frame }) => frame,
    ),
  }
}
