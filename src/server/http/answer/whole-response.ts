/**
 * A registered symbol, because there are two copies of this module: the front runs from source, and the build
 * renders pages.
 */
const wholeBytes = Symbol.for('culvert.whole-bytes')

/**
 * Creates a response whose body is complete in memory. The Node front sends the bytes directly. Others read
 * the body, a stream that is filled on demand, because a response of bytes would copy them.
 */
export function createWholeResponse(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        controller.enqueue(bytes)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return Object.assign(new Response(body, init), { [wholeBytes]: bytes })
}

/** The bytes of a response by `createWholeResponse`; undefined for others. */
export function findWholeBytes(response: Response): Uint8Array<ArrayBuffer> | undefined {
  const bytes: unknown = Reflect.get(response, wholeBytes)
  return isBytes(bytes) ? bytes : undefined
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer
}
