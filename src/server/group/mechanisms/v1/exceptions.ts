import type { Event, ExceptionValue } from '#protocol/event.ts'
import { isJsonObject } from '#protocol/json.ts'
import { telltaleExceptions } from './exception-group.ts'
import type { InAppPredicate } from './in-app.ts'
import { groupingText } from './message.ts'
import { appTraceParts, wholeTraceParts } from './stack-trace.ts'

/** Returns the contribution of one exception's stack trace; v1 has two variants. */
type TraceReading = (exception: ExceptionValue) => string[]

/**
 * The contribution of the chain of exceptions, root cause first; empty if there is none.
 *
 * As soon as one exception of the chain has in-app frames, only such frames contribute in all of them: a
 * library's frames change with its version.
 */
export function exceptionParts(event: Event, isInApp: InAppPredicate): string[] {
  if (event.exceptions.length === 0) return []
  const appReadings = new Map<ExceptionValue, string[]>()
  let hasAppFrames = false
  for (const exception of event.exceptions) {
    const parts = appTraceParts(exception.stackTrace, event.platform, isInApp)
    appReadings.set(exception, parts)
    hasAppFrames ||= parts.length > 0
  }
  const readTrace: TraceReading = hasAppFrames
    ? (exception) => appReadings.get(exception) ?? []
    : (exception) => wholeTraceParts(exception.stackTrace, event.platform)
  return chainParts(event.exceptions, readTrace)
}

function chainParts(exceptions: ExceptionValue[], readTrace: TraceReading): string[] {
  if (exceptions.length === 1 && exceptions[0]) return singleParts(exceptions[0], readTrace)
  const partsOf = new Map(exceptions.map((exception) => [exception, singleParts(exception, readTrace)]))
  const telltale = telltaleExceptions(exceptions, (exception) => JSON.stringify(partsOf.get(exception)))
  return telltale.flatMap((exception) => partsOf.get(exception) ?? [])
}

/** An exception's value contributes only if no frame does: it often contains the data of a single user. */
function singleParts(exception: ExceptionValue, readTrace: TraceReading): string[] {
  const isSynthetic = exception.mechanism?.synthetic === true
  const nsErrorParts = isSynthetic ? readNsError(exception) : []
  const frameParts = readTrace(exception)
  const parts: string[] = []
  if (exception.type && !isSynthetic) parts.push(`type ${exception.type}`)
  parts.push(...nsErrorParts, ...frameParts)
  if (nsErrorParts.length === 0 && frameParts.length === 0) {
    const value = groupingText(exception.value ?? '')
    if (value !== '') parts.push(`value ${value}`)
  }
  if (parts.length > 0) parts.unshift('exception')
  return parts
}

/** Domain and code of an Apple NSError: they are more meaningful than the synthetic exception around them. */
function readNsError(exception: ExceptionValue): string[] {
  const nsError = exception.mechanism?.meta?.ns_error
  if (!isJsonObject(nsError)) return []
  const { domain, code } = nsError
  const parts: string[] = []
  if (typeof domain === 'string') parts.push(`domain ${domain}`)
  if (typeof code === 'string' || typeof code === 'number') parts.push(`code ${code}`)
  return parts
}
