import type { Frame, StackTrace } from '#protocol/event.ts'
import { hasUrlOrigin } from './code-location.ts'
import { appendFrame } from './frame.ts'
import type { InAppPredicate } from './in-app.ts'
import { platformFamily } from './platform-family.ts'

/** The contribution of a trace's in-app frames, or of all if those have none. Empty if there is none. */
export function traceParts(
  trace: StackTrace | undefined,
  platform: string,
  isInApp: InAppPredicate,
): string[] {
  const parts = appTraceParts(trace, platform, isInApp)
  return parts.length > 0 ? parts : wholeTraceParts(trace, platform)
}

/** The contribution of a trace's in-app frames, oldest call first. */
export function appTraceParts(
  trace: StackTrace | undefined,
  platform: string,
  isInApp: InAppPredicate,
): string[] {
  return framesParts(trace, platform, isInApp)
}

/** The contribution of all frames of a trace, oldest call first. */
export function wholeTraceParts(trace: StackTrace | undefined, platform: string): string[] {
  return framesParts(trace, platform, undefined)
}

function framesParts(
  trace: StackTrace | undefined,
  platform: string,
  isInApp: InAppPredicate | undefined,
): string[] {
  const parts: string[] = []
  const frames = trace?.frames ?? []
  if (isLonePageFrame(frames, platform)) return parts
  let previous: Frame | undefined
  for (const frame of frames) {
    const isCounted = isInApp === undefined || isInApp(frame)
    if (isCounted && !isRecursion(frame, previous)) appendFrame(frame, frame.platform ?? platform, parts)
    previous = frame
  }
  return parts
}

/** Deep recursion ends at an arbitrary depth, so a frame like the previous one does not contribute. */
function isRecursion(frame: Frame, previous: Frame | undefined): boolean {
  return (
    previous !== undefined &&
    frame.function === previous.function &&
    frame.lineNumber === previous.lineNumber &&
    frame.columnNumber === previous.columnNumber &&
    frame.module === previous.module &&
    frame.filename === previous.filename &&
    frame.absPath === previous.absPath &&
    frame.package === previous.package
  )
}

/**
 * For an error in an inline script, or a cross-origin error, browsers report a single frame without a name at
 * the page's URL.
 */
function isLonePageFrame(frames: Frame[], platform: string): boolean {
  const [frame, second] = frames
  if (frame === undefined || second !== undefined) return false
  if (platformFamily(frame.platform ?? platform) !== 'javascript') return false
  return !frame.function && hasUrlOrigin(frame)
}
