import type { IncomingMessage } from 'node:http'
import { limits } from '#server/limits.ts'
import { tooLargeStatus } from '#server/too-large.ts'

/** A body as a Web stream. */
export interface StreamedBody {
  stream: ReadableStream<Uint8Array>
  /** Leaves the unread rest to `discardBody`. */
  release(): Promise<void>
}

/** Start answers a server function's call with the status of this error. */
class BodyTooLargeError extends RangeError {
  readonly status = tooLargeStatus
}

/**
 * The body of a request, which fails after `maxBytes`. Unlike with `Readable.toWeb`, the request is not
 * destroyed if its reader stops early: Node reads nothing more from the connection of a destroyed one, so the
 * next request on it would never be answered. Reads only on demand.
 */
export function streamBody(request: IncomingMessage, maxBytes: number): StreamedBody {
  const chunks: AsyncIterator<Uint8Array, undefined> = request.iterator({ destroyOnReturn: false })
  const release = async () => void (await chunks.return?.())
  let byteCount = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await chunks.next()
        if (value === undefined) {
          controller.close()
          return
        }
        byteCount += value.length
        if (byteCount <= maxBytes) {
          controller.enqueue(value)
          return
        }
        controller.error(new BodyTooLargeError(`The body of the request exceeds ${maxBytes} bytes.`))
        await release()
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  )
  return { stream, release }
}

/**
 * Reads and discards the rest of a body, at most `limits.lingerBytes` and for `limits.lingerMs`. Closing
 * immediately would reset the connection, and the client, still sending, would get an error instead of its
 * answer.
 */
export function discardBody(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let byteCount = 0
  const timer = setTimeout(finish, limits.lingerMs)
  function finish(): void {
    clearTimeout(timer)
    request.off('data', count).off('end', finish).off('close', finish)
    resolve()
  }
  function count(chunk: Buffer): void {
    byteCount += chunk.length
    if (byteCount > limits.lingerBytes) finish()
  }
  request.on('data', count).on('end', finish).on('close', finish).on('error', finish)
  request.resume()
  return promise
}
