import type { Event, StackTrace } from '#protocol/event.ts'

/** Every stack trace of the event: of its exceptions and its threads. */
export function eventTraces(event: Event): StackTrace[] {
  const traces: StackTrace[] = []
  for (const exception of event.exceptions) if (exception.stackTrace) traces.push(exception.stackTrace)
  for (const thread of event.threads) if (thread.stackTrace) traces.push(thread.stackTrace)
  return traces
}
