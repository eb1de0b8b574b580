import { captureServerError } from '#monitoring/capture.server.ts'
// oxlint-disable no-console -- this module replaces console.error
import type { Log } from '#server/log.ts'
import { isUnreadableCall } from './server-function-call.server.ts'

/**
 * Replaces `console.error`, where the framework reports the errors that it catches. Errors are captured,
 * which also logs them; other texts are logged, so that every line is JSON. An unreadable call is a client
 * error and is not logged, because a client can send any number of them. Call it once.
 */
export function logConsoleErrors(log: Log): void {
  console.error = (...values: unknown[]) => {
    if (isUnreadableCall()) return
    const thrown = values.find((value) => value instanceof Error)
    if (thrown === undefined) log.error({ text: values.map(String).join(' ') }, 'framework error')
    else captureServerError(thrown)
  }
}
