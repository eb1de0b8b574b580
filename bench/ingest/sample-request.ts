import { randomBytes } from 'node:crypto'
import type { SampleEnvelope } from './sample-envelopes.ts'

/** The `at`th request of a load, in one piece of bytes: head and a copy of a sample under a fresh id. */
export function nextRequest(path: string, samples: readonly SampleEnvelope[], at: number): Buffer {
  const sample = samples[at % samples.length]
  if (sample === undefined) throw new Error('there are no samples')
  const head = `POST ${path} HTTP/1.1\r\nHost: culvert\r\nContent-Length: ${sample.bytes.length}\r\n\r\n`
  const request = Buffer.allocUnsafe(head.length + sample.bytes.length)
  request.write(head, 'latin1')
  sample.bytes.copy(request, head.length)
  const eventId = randomBytes(16).toString('hex')
  for (const offset of sample.idOffsets) request.write(eventId, head.length + offset, 'latin1')
  return request
}
