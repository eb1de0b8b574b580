import type { ExceptionValue, Frame, StackTrace } from './event.ts'
import { relationOf } from './exception-relation.ts'

export interface StackTextOptions {
  /** Consecutive library frames become one line with their number. */
  foldsLibraries?: boolean
  /** A frame's line ends with the URL of its source in the code host. */
  showsSourceUrls?: boolean
}

interface TextFormat extends StackTextOptions {
  platform: string
}

/**
 * Exceptions with their stack traces as plain text, as the platform's own runtime prints them: Python oldest
 * call first under `Traceback`, others newest call first under the exception. `exceptions` are in wire order,
 * the root cause first.
 */
export function toExceptionsText(
  exceptions: readonly ExceptionValue[],
  platform: string,
  options: StackTextOptions = {},
): string {
  const format = { ...options, platform }
  if (platform === 'python') {
    const parts = exceptions.flatMap((exception, index) => {
      const text = pythonText(exception, format)
      return index === exceptions.length - 1 ? text : [text, pythonRelation(exception)]
    })
    return parts.join('\n\n')
  }
  return exceptions
    .toReversed()
    .map((exception, index) => {
      const head = exceptionLine(exception, format)
      const lines = frameLines(exception.stackTrace, format)
      return [index === 0 ? head : `${relationLabel(exception)}: ${head}`, ...lines].join('\n')
    })
    .join('\n')
}

/** As Java prints it; other runtimes and members of groups have no common form. */
function relationLabel(exception: ExceptionValue): string {
  const relation = relationOf(exception)
  switch (relation.kind) {
    case 'cause':
      return 'Caused by'
    case 'context':
      return 'Raised while handling'
    case 'suppressed':
      return 'Suppressed'
    case 'member':
  }
  return `Contained in ${relation.slot}`
}

/** Python's sentences between an exception and the next one, which a group has not. */
function pythonRelation(exception: ExceptionValue): string {
  const relation = relationOf(exception)
  switch (relation.kind) {
    case 'cause':
      return 'The above exception was the direct cause of the following exception:'
    case 'context':
      return 'During handling of the above exception, another exception occurred:'
    case 'suppressed':
      return 'The following exception suppressed the above exception:'
    case 'member':
  }
  return `The above exception is contained in ${relation.slot} of a group below.`
}

/** An exception or thread with its stack trace as sent, before source maps. */
export function asSent<T extends { stackTrace?: StackTrace; rawStackTrace?: StackTrace }>(holder: T): T {
  const { rawStackTrace } = holder
  return rawStackTrace === undefined ? holder : { ...holder, stackTrace: rawStackTrace }
}

/** One stack trace as plain text, newest call first. */
export function toStackTraceText(
  trace: StackTrace,
  platform: string,
  options: StackTextOptions = {},
): string {
  return frameLines(trace, { ...options, platform }).join('\n')
}

/**
 * The function that a frame calls; in Java and Kotlin with its class, which is in no other part of the frame.
 */
export function calledFunction(frame: Frame, platform: string): string | undefined {
  const name = frame.function ?? frame.rawFunction ?? frame.symbol
  if (name === undefined || frame.module === undefined || !isJava(frame, platform)) return name
  return `${frame.module}.${name}`
}

function isJava(frame: Frame, platform: string): boolean {
  return (frame.platform ?? platform) === 'java'
}

/** `TypeError: x is not a function`. */
function exceptionLine({ type, module, value }: ExceptionValue, { platform }: TextFormat): string {
  const name = platform === 'java' && module !== undefined && type !== undefined ? `${module}.${type}` : type
  return [name, value].filter((part) => part !== undefined && part !== '').join(': ') || 'Exception'
}

function frameLines(trace: StackTrace | undefined, format: TextFormat): string[] {
  return toLines((trace?.frames ?? []).toReversed(), format, (frame) => [
    `    at ${callText(frame, format)}${linkText(frame, format)}`,
  ])
}

/** Without in-app frames no library frames are folded. */
function toLines(
  frames: readonly Frame[],
  { foldsLibraries }: StackTextOptions,
  linesOf: (frame: Frame) => string[],
): string[] {
  if (foldsLibraries !== true || !frames.some(({ inApp }) => inApp === true)) return frames.flatMap(linesOf)
  const lines: string[] = []
  let folded = 0
  for (const frame of frames) {
    if (frame.inApp === true) {
      lines.push(...foldedLine(folded), ...linesOf(frame))
      folded = 0
    } else folded += 1
  }
  return [...lines, ...foldedLine(folded)]
}

function foldedLine(count: number): string[] {
  return count === 0 ? [] : [`    … ${count} ${count === 1 ? 'frame' : 'frames'} of libraries`]
}

function callText(frame: Frame, { platform }: TextFormat): string {
  const location = locationText(frame)
  const name = calledFunction(frame, platform)
  if (name === undefined) return location
  return isJava(frame, platform) ? `${name}(${location})` : `${name} (${location})`
}

function linkText({ sourceUrl }: Frame, { showsSourceUrls }: StackTextOptions): string {
  return showsSourceUrls === true && sourceUrl !== undefined ? ` ${sourceUrl}` : ''
}

/** `src/cart.ts:42:17`. */
function locationText(frame: Frame): string {
  const path = frame.filename ?? frame.absPath ?? frame.module ?? frame.package ?? '<unknown file>'
  const numbers = [frame.lineNumber, frame.columnNumber].filter((part) => part !== undefined)
  return [path, ...numbers].join(':')
}

function pythonText(exception: ExceptionValue, format: TextFormat): string {
  const frames = exception.stackTrace?.frames ?? []
  const lines = toLines(frames, format, (frame) => {
    const path = frame.absPath ?? frame.filename ?? frame.module ?? '<unknown file>'
    const line = frame.lineNumber === undefined ? '' : `, line ${frame.lineNumber}`
    const call = `  File "${path}"${line}, in ${frame.function ?? '<module>'}${linkText(frame, format)}`
    const source = frame.contextLine?.trim() ?? ''
    return source === '' ? [call] : [call, `    ${source}`]
  })
  const head = frames.length === 0 ? [] : ['Traceback (most recent call last):']
  return [...head, ...lines, exceptionLine(exception, format)].join('\n')
}
