import type { ExceptionValue, Frame, StackTrace } from './event.ts'

/**
 * Exceptions with their stack traces as plain text, the way the platform's own runtime prints them: Python
 * oldest call first under `Traceback`, everything else newest call first under what was thrown. `exceptions`
 * are in wire order, the root cause first.
 */
export function toExceptionsText(exceptions: readonly ExceptionValue[], platform: string): string {
  if (platform === 'python') {
    return exceptions
      .map(pythonText)
      .join('\n\nThe above exception was the direct cause of the following exception:\n\n')
  }
  return exceptions
    .toReversed()
    .map((exception, index) => {
      const head = exceptionLine(exception)
      const lines = frameLines(exception.stackTrace)
      return [index === 0 ? head : `Caused by: ${head}`, ...lines].join('\n')
    })
    .join('\n')
}

/** An exception or thread with its stack trace as it was sent, before source maps. */
export function asSent<T extends { stackTrace?: StackTrace; rawStackTrace?: StackTrace }>(holder: T): T {
  const { rawStackTrace } = holder
  return rawStackTrace === undefined ? holder : { ...holder, stackTrace: rawStackTrace }
}

/** One stack trace as plain text, newest call first. */
export function toStackTraceText(trace: StackTrace): string {
  return frameLines(trace).join('\n')
}

/** `TypeError: x is not a function`. */
function exceptionLine({ type, value }: ExceptionValue): string {
  return [type, value].filter((part) => part !== undefined && part !== '').join(': ') || 'Exception'
}

function frameLines(trace: StackTrace | undefined): string[] {
  return (trace?.frames ?? []).toReversed().map((frame) => `    at ${callText(frame)}`)
}

function callText(frame: Frame): string {
  const place = placeText(frame)
  const name = frame.function ?? frame.rawFunction ?? frame.symbol
  if (name === undefined) return place
  return `${name} (${place})`
}

/** `src/cart.ts:42:17`. */
function placeText(frame: Frame): string {
  const path = frame.filename ?? frame.absPath ?? frame.module ?? frame.package ?? '<unknown file>'
  const numbers = [frame.lineNumber, frame.columnNumber].filter((part) => part !== undefined)
  return [path, ...numbers].join(':')
}

function pythonText(exception: ExceptionValue): string {
  const frames = exception.stackTrace?.frames ?? []
  const lines = frames.flatMap((frame) => {
    const path = frame.absPath ?? frame.filename ?? frame.module ?? '<unknown file>'
    const line = frame.lineNumber === undefined ? '' : `, line ${frame.lineNumber}`
    const call = `  File "${path}"${line}, in ${frame.function ?? '<module>'}`
    const source = frame.contextLine?.trim() ?? ''
    return source === '' ? [call] : [call, `    ${source}`]
  })
  const head = frames.length === 0 ? [] : ['Traceback (most recent call last):']
  return [...head, ...lines, exceptionLine(exception)].join('\n')
}
