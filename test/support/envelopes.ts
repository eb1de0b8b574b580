import { randomBytes } from 'node:crypto'

/** 32 random lower-case hex digits. */
export function randomEventId(): string {
  return randomBytes(16).toString('hex')
}

export interface ErrorEnvelopeOptions {
  eventId?: string
  /** Type of the exception: another type makes another issue. */
  type?: string
  value?: string
  release?: string
  environment?: string
  /** Further fields of the envelope's header. */
  header?: Record<string, unknown>
}

/** An envelope with one error event, framed as the JavaScript SDK does it (no lengths). */
export function errorEnvelope(options: ErrorEnvelopeOptions = {}): string {
  const {
    eventId = randomEventId(),
    type = 'TypeError',
    value = 'x is not a function',
    release,
    environment,
    header = {},
  } = options
  const event = {
    event_id: eventId,
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    ...(release !== undefined && { release }),
    ...(environment !== undefined && { environment }),
    exception: {
      values: [
        { type, value, stacktrace: { frames: [{ function: type, filename: 'app.js', in_app: true }] } },
      ],
    },
  }
  return `${JSON.stringify({ event_id: eventId, ...header })}\n{"type":"event"}\n${JSON.stringify(event)}`
}

/** An envelope of any items; text and bytes are sent as they are, with their length. */
export function envelopeOf(
  header: Record<string, unknown>,
  ...items: [type: string, payload: unknown][]
): string {
  const lines = items.map(([type, payload]) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
    return `${JSON.stringify({ type, length: Buffer.byteLength(text) })}\n${text}\n`
  })
  return `${JSON.stringify(header)}\n${lines.join('')}`
}
