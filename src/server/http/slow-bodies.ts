import { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorCode } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { answerTimeout } from './answer/client-error.ts'

/** The limits of slow bodies. */
export interface SlowBodyBounds {
  windowMs: number
  /** From the first time-out of the request on. */
  timeoutMs: number
  /** Of all slow bodies together, by their declared size. */
  maxBytes: number
}

/** True if the error is the time-out of a request whose body may continue to arrive. */
export type SlowBodyCheck = (error: Error, socket: Duplex) => boolean

/**
 * Gives bodies more time than Node's server, which limits a whole request and reports its time-out once. From
 * then on a body needs `limits.slowBodyBytes` in each window, and is answered 408 without them, or after
 * `timeoutMs`.
 */
export function createSlowBodyCheck({ windowMs, timeoutMs, maxBytes }: SlowBodyBounds): SlowBodyCheck {
  let slowBytes = 0

  function watch(request: IncomingMessage, byteCount: number): void {
    const { socket } = request
    const endsAt = performance.now() + timeoutMs
    let readBytes = socket.bytesRead
    slowBytes += byteCount
    let isOver = false
    // After the event loop has read what arrived while it was busy.
    const timer = setInterval(() => setImmediate(check), windowMs)
    request.once('close', stop)

    function check(): void {
      // A handler that does not read keeps the client from sending.
      const isRead = request.readableLength === 0
      const isStalled = isRead && socket.bytesRead - readBytes < limits.slowBodyBytes
      readBytes = socket.bytesRead
      if (isOver || (!request.complete && !isStalled && performance.now() < endsAt)) return
      stop()
      if (!request.complete) answerTimeout(socket)
    }
    function stop(): void {
      isOver = true
      request.off('close', stop)
      clearInterval(timer)
      slowBytes -= byteCount
    }
  }

  return (error, socket) => {
    const request = findRequest(socket)
    // Otherwise the headers are late.
    const isBody = request !== undefined && !request.complete
    if (errorCode(error) !== 'ERR_HTTP_REQUEST_TIMEOUT' || !isBody) return false
    const byteCount = Number(request.headers['content-length'] ?? limits.ingestWireBytes)
    if (slowBytes + byteCount > maxBytes) return false
    watch(request, byteCount)
    return true
  }
}

/** The unanswered request of a connection. Node sets the property, its types do not have it. */
function findRequest(socket: Duplex): IncomingMessage | undefined {
  const response: unknown = Reflect.get(socket, '_httpMessage')
  const request: unknown = response instanceof ServerResponse ? response.req : undefined
  return request instanceof IncomingMessage ? request : undefined
}
