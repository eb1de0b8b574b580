import type { Event, StackTrace } from '#protocol/event.ts'

/** Every stack trace of the event, wherever it was sent: of its exceptions, of its threads, its own. */
export function eventTraces(event: Event): StackTrace[] {
  const traces: StackTrace[] = []
  for (const exception of event.exceptions) if (exception.stackTrace) traces.push(exception.stackTrace)
  for (const thread of event.threads) if (thread.stackTrace) traces.push(thread.stackTrace)
  if (event.stackTrace) traces.push(event.stackTrace)
  return traces
}
