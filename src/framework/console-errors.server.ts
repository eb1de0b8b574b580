import { captureServerError } from '#monitoring/capture.server.ts'
// oxlint-disable no-console -- the console is what this is about
import type { Log } from '#server/log.ts'
import { isUnreadableCall } from './server-function-call.server.ts'

/**
 * Replaces `console.error`, the only place where the framework reports the errors that it catches. An error
 * is captured, which logs it. Other texts are logged, so that every line is JSON. A call that could not be
 * read is the client's mistake and leaves no line: a client can send any number of them. Call it once.
 */
export function logConsoleErrors(log: Log): void {
  console.error = (...values: unknown[]) => {
    if (isUnreadableCall()) return
    const thrown = values.find((value) => value instanceof Error)
    if (thrown === undefined) log.error({ text: values.map(String).join(' ') }, 'framework error')
    else captureServerError(thrown)
  }
}
