import type { Event, Frame, StackTrace } from '#protocol/event.ts'
import { eventTraces } from '#server/group/mechanisms/v1/event-traces.ts'
import { createInAppPredicate, type InAppPredicate } from '#server/group/mechanisms/v1/in-app.ts'
import { limits } from '#server/limits.ts'
import { securityReportCulprit } from './fields/security-report.ts'
import { cutText, firstLine } from './text.ts'

const nativePlatforms = new Set(['native', 'cocoa', 'objc'])
const javascriptPlatforms = new Set(['javascript', 'node'])

/**
 * The culprit, where an event occurred, in one line: the culprit that an old SDK sent, otherwise the
 * transaction, otherwise the culprit frame, otherwise the request's URL; for a security report the violated
 * directive, for feedback the page. Frames are in-app as for grouping: if the SDK marks none, as Java's
 * without settings, libraries are recognized.
 *
 * A frame is written as `function(module)` in JavaScript, `function` in native code and `module in function`
 * in other languages. The file replaces a missing module (Sentry's `culprit.py`), and stands alone for a
 * function without a name. Empty if nothing is known; at most `limits.culpritCharacters` long.
 */
export function eventCulprit(event: Event): string {
  const culprit =
    event.culprit ??
    event.transaction ??
    securityReportCulprit(event.securityReport) ??
    stackCulprit(event) ??
    event.feedback?.url ??
    event.request?.url ??
    ''
  return firstLine(culprit, limits.culpritCharacters)
}

/** The frame in which the error probably has its cause: the last in-app frame, or else the last frame. */
export function findCulpritFrame(
  stackTrace: StackTrace | undefined,
  isInApp: InAppPredicate = isMarkedInApp,
): Frame | undefined {
  return stackTrace?.frames.findLast(isInApp) ?? stackTrace?.frames.at(-1)
}

function isMarkedInApp({ inApp }: Frame): boolean {
  return inApp === true
}

function stackCulprit(event: Event): string | undefined {
  const isInApp = createInAppPredicate(eventTraces(event), event.platform)
  const frame = findCulpritFrame(eventStackTrace(event), isInApp)
  if (frame === undefined) return undefined
  const culprit = frameCulprit(frame, frame.platform ?? event.platform)
  return culprit === undefined ? undefined : cutText(culprit, limits.culpritCharacters)
}

function eventStackTrace(event: Event): StackTrace | undefined {
  const thrown = event.exceptions.findLast((exception) => exception.stackTrace !== undefined)
  if (thrown !== undefined) return thrown.stackTrace
  const thread =
    event.threads.find((candidate) => candidate.crashed) ?? event.threads.find((each) => each.current)
  return thread?.stackTrace
}

function frameCulprit(frame: Frame, platform: string): string | undefined {
  const source = frame.module ?? frame.filename
  if (nativePlatforms.has(platform)) return frame.function ?? source
  if (source === undefined) return frame.function
  if (frame.function === undefined) return source
  return javascriptPlatforms.has(platform) ? `${frame.function}(${source})` : `${source} in ${frame.function}`
}
