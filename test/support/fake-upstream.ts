import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { serveLocally } from './listen-locally.ts'

/** A complete request that an upstream received. */
export interface RecordedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  /** Names and values alternately, exactly as they were received. */
  rawHeaders: string[]
  body: Buffer
}

/** The behaviour of an upstream. Default: accepts everything. */
export type UpstreamBehaviour = (response: ServerResponse, request: RecordedRequest) => void

/** A real HTTP server that acts as an error-reporting service. */
export interface FakeUpstream {
  /** HOST:PORT */
  readonly address: string
  readonly requests: RecordedRequest[]
  readonly connectionCount: number
  /** Changes its behaviour. */
  behave(behaviour: UpstreamBehaviour): void
  close(): Promise<void>
}

/** Accepts everything. */
export const takeAll: UpstreamBehaviour = (response) => {
  response.setHeader('content-type', 'application/json')
  response.end('{"id":"ok"}')
}

/** Longer than a busy machine stands still: a request on a connection that is being closed would fail. */
const keptMs = 60_000

/** Starts an upstream on this machine, by default on a free port. */
export async function startFakeUpstream(
  behaviour: UpstreamBehaviour = takeAll,
  onPort = 0,
): Promise<FakeUpstream> {
  const requests: RecordedRequest[] = []
  let connectionCount = 0
  let current = behaviour
  const server = createServer(
    { keepAliveTimeout: keptMs },
    (request, response) => void record(request, response),
  )
  server.on('connection', () => {
    connectionCount += 1
  })
  async function record(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const { method = '', url = '', headers, rawHeaders } = request
    const recorded = { method, url, headers, rawHeaders, body: Buffer.concat(chunks) }
    requests.push(recorded)
    current(response, recorded)
  }
  const { port, close } = await serveLocally(server, onPort)
  return {
    address: `127.0.0.1:${port}`,
    requests,
    get connectionCount() {
      return connectionCount
    },
    behave(next) {
      current = next
    },
    close,
  }
}

/** Answers every request with a status and headers. */
export function answerWith(status: number, headers: Record<string, string> = {}): UpstreamBehaviour {
  return (response) => {
    response.writeHead(status, headers)
    response.end('{"detail":"SECRET of the upstream"}')
  }
}
