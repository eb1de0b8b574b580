import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeTraceRequest } from './decode-traces.ts'
import { ProtobufError } from './protobuf-reader.ts'
import { toSentrySpans } from './to-spans.ts'

/** The error of a call, unless it is that of the reader. */
function findUnexpected(call: () => unknown): unknown {
  try {
    call()
    return undefined
  } catch (thrown) {
    return thrown instanceof ProtobufError ? undefined : thrown
  }
}

describe('a request in protobuf', () => {
  it('is decoded or rejected with its own error, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(findUnexpected(() => toSentrySpans(decodeTraceRequest(bytes)))).toBeUndefined()
      }),
    )
  })

  it('is an error when a field is longer than the message, or a number does not end', () => {
    for (const bytes of [[0x0a, 0x05], [0x0a], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x09, 1], [0x0b]])
      expect(() => decodeTraceRequest(Uint8Array.from(bytes))).toThrow(ProtobufError)
  })
})

describe('a request in JSON', () => {
  it('is converted without an exception, whatever it is', () => {
    const spans = fc.array(
      fc.dictionary(fc.constantFrom('traceId', 'kind', 'attributes', 'events'), fc.jsonValue()),
    )
    fc.assert(
      fc.property(fc.jsonValue(), spans, (noise, list) => {
        const request = { resourceSpans: [noise, { resource: noise, scopeSpans: [noise, { spans: list }] }] }
        const read: unknown = JSON.parse(JSON.stringify(request))
        expect(read !== null && typeof read === 'object' && toSentrySpans({ ...read }).spans).toHaveLength(
          list.length,
        )
      }),
    )
  })
})
