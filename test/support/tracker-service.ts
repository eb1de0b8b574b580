import { createServer, type IncomingHttpHeaders } from 'node:http'
import { listen } from '#server/http/listen.ts'

/** A request to create an issue. */
export interface CreationRequest {
  path: string
  headers: IncomingHttpHeaders
  fields: Record<string, unknown>
}

/** GitHub's and GitLab's API to create issues, as their documentation describes it, for one token. */
export interface TrackerService {
  origin: string
  requests: CreationRequest[]
  /** What the next request is answered, in the place of a new issue. */
  answerNext(answer: { status: number; body: object; headers?: Record<string, string> }): void
  stop(): void
}

export const issueToken = 'ghp_0123456789abcdefghijABCDEFGHIJ'

/**
 * Starts the service. GitHub Enterprise answers below `/api/v3`, GitLab below `/api/v4`. As GitHub does, it
 * rejects requests without a user agent.
 */
export async function startTrackerService(): Promise<TrackerService> {
  const requests: CreationRequest[] = []
  const answers: { status: number; body: object; headers?: Record<string, string> }[] = []
  let origin = ''
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      const fields = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
      requests.push({ path, headers: request.headers, fields })
      const { status, body, headers } = answers.shift() ?? answer({ path, headers: request.headers, fields })
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    })
  })

  function answer({ path, headers, fields }: CreationRequest): {
    status: number
    body: object
    headers?: never
  } {
    const [, github] = /^\/api\/v3\/repos\/([^/]+\/[^/]+)\/issues$/.exec(path) ?? []
    const [, gitlab] = /^\/api\/v4\/projects\/([^/]+)\/issues$/.exec(path) ?? []
    const isKnown =
      github === undefined
        ? headers['private-token'] === issueToken
        : headers.authorization === `Bearer ${issueToken}` && headers.accept === 'application/vnd.github+json'
    if (headers['user-agent'] === undefined) return { status: 403, body: { message: 'no user agent' } }
    if (!isKnown) return { status: 401, body: { message: 'Bad credentials' } }
    if (typeof fields['title'] !== 'string') return { status: 422, body: { message: 'Validation Failed' } }
    const number = requests.length
    if (github !== undefined)
      return {
        status: 201,
        body: { number, state: 'open', html_url: `${origin}/${github}/issues/${number}` },
      }
    if (gitlab !== undefined) {
      const project = decodeURIComponent(gitlab)
      return { status: 201, body: { iid: number, web_url: `${origin}/${project}/-/issues/${number}` } }
    }
    return { status: 404, body: { message: 'Not Found' } }
  }

  origin = await listen(server, { host: '127.0.0.1', port: 0 })
  return {
    origin,
    requests,
    answerNext: (next) => answers.push(next),
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
