import { getGlobalStartContext } from '@tanstack/react-start'

/** How far a call of a server function has come. */
export interface ServerFunctionCall {
  /** The payload has been read and the function's own middleware has begun. */
  hasBegun: boolean
}

const unknownFunction = /^Server function (info not found|not accessible)/

/** The answer to a call that names no function: without the name, which came from outside. */
export function answerUnknownFunction(): Response {
  return Response.json({ detail: 'not found' }, { status: 404 })
}

/** The answer to a call whose payload could not be read. */
export function answerUnreadablePayload(): Response {
  return Response.json({ detail: 'the payload could not be read' }, { status: 400 })
}

/** True for what Start throws when a call names no function. */
export function isUnknownFunction(thrown: unknown): boolean {
  return thrown instanceof Error && unknownFunction.test(thrown.message)
}

/** True while the request being handled is a call that could not be read: the caller's mistake, and none of ours. */
export function isUnreadableCall(): boolean {
  try {
    return getGlobalStartContext()?.call?.hasBegun === false
  } catch {
    // Outside of a request.
    return false
  }
}
