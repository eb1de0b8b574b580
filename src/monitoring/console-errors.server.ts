// oxlint-disable no-console -- the console is what this is about
import type { Log } from '#server/log.ts'
import { captureServerError } from './capture.server.ts'
import { isUnreadableCall } from './server-function-call.server.ts'

/**
 * Replaces `console.error`, which is all that the framework tells of an error that it caught. An error is
 * captured, which logs it; other texts are logged, so that every line is JSON. What a call leaves that could
 * not be read is the caller's mistake and leaves no line: anybody can send any number of those. Call it once.
 */
export function logConsoleErrors(log: Log): void {
  console.error = (...values: unknown[]) => {
    if (isUnreadableCall()) return
    const thrown = values.find((value) => value instanceof Error)
    if (thrown === undefined) log.error({ text: values.map(String).join(' ') }, 'framework error')
    else captureServerError(thrown)
  }
}
