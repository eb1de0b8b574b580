import { randomBytes, randomFillSync } from 'node:crypto'
import type { SampleEnvelope } from './sample-envelope.ts'

/** The `at`th request of a load, as one buffer: head and a copy of a sample with a new id. */
export function nextRequest(path: string, samples: readonly SampleEnvelope[], at: number): Buffer {
  const sample = samples[at % samples.length]
  if (sample === undefined) throw new Error('there are no samples')
  const request = toRequest(path, sample)
  putId(request, randomBytes(16).toString('hex'))
  return request.bytes
}

/** Returns the next request of one connection, to be sent before the next call, which reuses the buffer. */
export type RequestSource = () => Buffer

/**
 * One source per connection. Each has its own samples, built once, so that generating load costs little more
 * than sending it. Several paths, separated by spaces, are assigned to the connections in rotation.
 */
export function createRequestSources(
  path: string,
  samples: readonly SampleEnvelope[],
  connections: number,
): RequestSource[] {
  const nextId = createIds()
  const paths = path.split(' ')
  return Array.from({ length: connections }, (_, number) => {
    const own = samples.filter((_sample, at) => at % connections === number)
    const requests = own.map((sample) => toRequest(paths[number % paths.length] ?? path, sample))
    let at = 0
    return () => {
      const request = requests[at % requests.length]
      if (request === undefined) throw new Error('there are fewer samples than connections')
      at += 1
      putId(request, nextId())
      return request.bytes
    }
  })
}

/** Head and body in one piece. */
function toRequest(path: string, sample: SampleEnvelope): SampleEnvelope {
  const { bytes, idOffsets, idDigits, timeOffset, contentType } = sample
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`
  const head = Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: culvert\r\n${type}Content-Length: ${bytes.length}\r\n\r\n`,
  )
  return {
    bytes: Buffer.concat([head, bytes]),
    idOffsets: idOffsets.map((offset) => head.length + offset),
    ...(idDigits !== undefined && { idDigits }),
    ...(timeOffset !== undefined && { timeOffset: head.length + timeOffset }),
  }
}

function putId({ bytes, idOffsets, idDigits = 32, timeOffset }: SampleEnvelope, eventId: string): void {
  if (timeOffset !== undefined) bytes.write((Date.now() / 1000).toFixed(3), timeOffset, 'latin1')
  const digits = eventId.slice(0, idDigits)
  for (const offset of idOffsets) bytes.write(digits, offset, 'latin1')
}

const idBytes = 16

/**
 * Random ids, generated in batches, because each call of the random generator costs more than the bytes it
 * returns.
 */
function createIds(): () => string {
  const pool = Buffer.alloc(1_024 * idBytes)
  let at = pool.length
  return () => {
    if (at === pool.length) {
      randomFillSync(pool)
      at = 0
    }
    at += idBytes
    return pool.toString('hex', at - idBytes, at)
  }
}
