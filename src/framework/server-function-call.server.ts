import { getGlobalStartContext } from '@tanstack/react-start'

/** The progress of a server function call. */
export interface ServerFunctionCall {
  /** The payload has been read and the function's own middleware has begun. */
  hasBegun: boolean
}

/**
 * The ids of the build (`vite.config.ts`), or encoded file names of the development server. Start looks up
 * others in a prototype.
 */
const functionName = /^(?:[\da-f]{16}|[\w-]{32,})$/
const unknownFunction = /^(Server function (info not found|not accessible)|Invalid server action param)/

/**
 * The response to a call of an unknown function. Start answers 500 with the name, which is user input.
 *
 * https://github.com/TanStack/router/issues/7363
 */
export function answerUnknownFunction(): Response {
  return Response.json({ detail: 'not found' }, { status: 404 })
}

/**
 * The response to a call with an unreadable payload. Start answers 500.
 *
 * https://github.com/TanStack/router/issues/8237
 */
export function answerUnreadablePayload(): Response {
  return Response.json({ detail: 'the payload could not be read' }, { status: 400 })
}

/** True for the path of a call that can name a function. */
export function hasFunctionName(pathname: string): boolean {
  return pathname.split('/').some((part) => functionName.test(part))
}

/** True for the error that Start throws for an unknown function. */
export function isUnknownFunction(thrown: unknown): boolean {
  return thrown instanceof Error && unknownFunction.test(thrown.message)
}

/**
 * True for the error that Start throws when a function's schema rejects the input: a plain Error with the
 * schema's issues as JSON. No object with such an id or name can exist.
 */
export function isRejectedInput(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !thrown.message.startsWith('[')) return false
  try {
    const issues: unknown = JSON.parse(thrown.message)
    return Array.isArray(issues) && issues.length > 0 && issues.every(isSchemaIssue)
  } catch {
    return false
  }
}

function isSchemaIssue(issue: unknown): boolean {
  return typeof issue === 'object' && issue !== null && 'kind' in issue && 'message' in issue
}

/** True while an unreadable call is handled, which is a client error. */
export function isUnreadableCall(): boolean {
  try {
    return getGlobalStartContext()?.call?.hasBegun === false
  } catch {
    // Outside of a request.
    return false
  }
}
