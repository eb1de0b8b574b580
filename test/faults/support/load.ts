import { Agent, request } from 'node:http'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject } from '#test/start-server.ts'
import type { Ledger } from './ledger.ts'

/** Clients that send one event after another, each on its own connection. */
export interface Load {
  /** Lets every client finish its current event; resolves when all have. */
  stop(): Promise<void>
  /** Resolves when every client has lost the server. */
  readonly isOver: Promise<void>
}

export interface LoadOptions {
  origin: string
  clientCount: number
  ledger: Ledger
  /** Called with every answer. */
  onAnswer?: (status: number) => void
  /** The project of the events. Default: `fixtureProject`. */
  project?: { id: number; publicKey: string }
  /** Bytes of each event's message, random so that they use their size on the disk. */
  messageBytes?: number
}

const exceptionTypes = ['TypeError', 'RangeError', 'SyntaxError', 'URIError', 'EvalError']

/** Starts clients that send until they are stopped or the server is down. */
export function startLoad(options: LoadOptions): Load {
  const { clientCount } = options
  const agent = new Agent({ keepAlive: true, maxSockets: clientCount })
  const stopping = new AbortController()

  async function sendUntilGone(): Promise<void> {
    while (!stopping.signal.aborted) {
      const status = await sendEvent({ ...options, agent })
      if (status === undefined) return
      options.onAnswer?.(status)
      // The server asked to wait; a real SDK would wait longer.
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  const isOver = Promise.all(Array.from({ length: clientCount }, sendUntilGone)).then(() => agent.destroy())
  return {
    isOver,
    stop() {
      stopping.abort()
      return isOver
    },
  }
}

export interface SendOptions extends Pick<LoadOptions, 'origin' | 'ledger' | 'project' | 'messageBytes'> {
  agent?: Agent
  /** Default: a new one. */
  eventId?: string
}

/**
 * Sends one event and records its result in the ledger. Returns the status, or undefined when the connection
 * broke first.
 */
export function sendEvent(options: SendOptions): Promise<number | undefined> {
  const {
    origin,
    ledger,
    agent,
    project = fixtureProject,
    messageBytes = 0,
    eventId = randomEventId(),
  } = options
  const type = exceptionTypes[Number.parseInt(eventId.slice(0, 4), 16) % exceptionTypes.length] ?? 'Error'
  const value = messageBytes === 0 ? 'x is not a function' : randomText(messageBytes)
  ledger.sent.add(eventId)
  ledger.unknown.add(eventId)
  return new Promise((resolve) => {
    const url = `${origin}/api/${project.id}/envelope/?sentry_key=${project.publicKey}`
    request(url, { method: 'POST', ...(agent && { agent }) }, (response) => {
      response
        .on('end', () => {
          const status = response.statusCode ?? 0
          ledger.unknown.delete(eventId)
          if (status === 200) ledger.acked.add(eventId)
          else ledger.rejected.set(eventId, status)
          resolve(status)
        })
        .on('error', () => resolve(undefined))
        .resume()
    })
      .on('error', () => resolve(undefined))
      .end(errorEnvelope({ eventId, type, value }))
  })
}

/** Sends one event and returns the whole answer; a ledger records only that it was sent. */
export function postEvent(origin: string, ledger?: Ledger): Promise<Response> {
  const eventId = randomEventId()
  ledger?.sent.add(eventId)
  return postEnvelope(origin, errorEnvelope({ eventId }))
}

function randomText(byteCount: number): string {
  return Array.from({ length: Math.ceil(byteCount / 32) }, randomEventId).join('')
}
