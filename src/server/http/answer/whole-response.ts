/** Registered, because the front runs from source and pages are answered by the build: two copies of this. */
const wholeBytes = Symbol.for('culvert.whole-bytes')

/**
 * Creates a response whose body is there as a whole. The Node front sends the bytes as they are. Others read
 * the body, a stream that is filled when it is read: a response of bytes copies them.
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

/** The bytes of a response by `createWholeResponse`; undefined for any other. */
export function findWholeBytes(response: Response): Uint8Array<ArrayBuffer> | undefined {
  const bytes: unknown = Reflect.get(response, wholeBytes)
  return isBytes(bytes) ? bytes : undefined
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer
}
