import { createServer, type IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'
import { serveLocally } from './listen-locally.ts'

/** A request to create an issue. */
export interface CreationRequest {
  path: string
  headers: IncomingHttpHeaders
  fields: Record<string, unknown>
}

/** The APIs of all trackers to create issues, as their documentation describes them, for one token. */
export interface TrackerService {
  origin: string
  requests: CreationRequest[]
  /** The next answer, instead of a new issue. */
  answerNext(answer: TrackerAnswer): void
  stop(): Promise<void>
}

/** An answer of a tracker. */
interface TrackerAnswer {
  status: number
  body: object
  headers?: Record<string, string>
}

export const issueToken = 'ghp_0123456789abcdefghijABCDEFGHIJ'

/**
 * Starts the service. GitHub Enterprise answers below `/api/v3`, GitLab below `/api/v4`, Jira below
 * `/rest/api`, Linear at `/graphql`. As GitHub does, it
 * rejects requests without a user agent.
 */
export async function startTrackerService(): Promise<TrackerService> {
  const requests: CreationRequest[] = []
  const answers: TrackerAnswer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      const fields = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
      requests.push({ path, headers: request.headers, fields })
      const { status, body, headers } =
        answers.shift() ??
        answerRequest({ path, headers: request.headers, fields }, started.origin, requests.length)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    })
  })
  const started = await serveLocally(server)
  return {
    origin: started.origin,
    requests,
    answerNext: (next) => answers.push(next),
    stop: started.close,
  }
}

/** The account of the token in Jira Cloud. */
export const jiraAccount = 'ada@acme.example'

function answerRequest(request: CreationRequest, origin: string, number: number): TrackerAnswer {
  const { path, headers } = request
  if (headers['user-agent'] === undefined) return { status: 403, body: { message: 'no user agent' } }
  if (path === '/graphql') return answerLinear(request, origin, number)
  const [, version] = /^\/rest\/api\/([23])\/issue$/.exec(path) ?? []
  if (version !== undefined) return answerJira(request, version, number)
  return answerRepository(request, origin, number)
}

function answerRepository(
  { path, headers, fields }: CreationRequest,
  origin: string,
  number: number,
): TrackerAnswer {
  const [, github] = /^\/api\/v3\/repos\/([^/]+\/[^/]+)\/issues$/.exec(path) ?? []
  const [, gitlab] = /^\/api\/v4\/projects\/([^/]+)\/issues$/.exec(path) ?? []
  const isKnown =
    github === undefined
      ? headers['private-token'] === issueToken
      : headers.authorization === `Bearer ${issueToken}` && headers.accept === 'application/vnd.github+json'
  if (!isKnown) return { status: 401, body: { message: 'Bad credentials' } }
  if (typeof fields['title'] !== 'string') return { status: 422, body: { message: 'Validation Failed' } }
  if (github !== undefined)
    return { status: 201, body: { number, state: 'open', html_url: `${origin}/${github}/issues/${number}` } }
  if (gitlab === undefined) return { status: 404, body: { message: 'Not Found' } }
  const web = `${origin}/${decodeURIComponent(gitlab)}/-/issues/${number}`
  return { status: 201, body: { iid: number, web_url: web } }
}

/** Nodes of Atlassian's document format, as far as Culvert writes them; Jira rejects empty texts. */
const adfText = v.strictObject({
  type: v.literal('text'),
  text: v.pipe(v.string(), v.minLength(1)),
  marks: v.optional(
    v.tuple([
      v.strictObject({
        type: v.literal('link'),
        attrs: v.strictObject({ href: v.pipe(v.string(), v.url()) }),
      }),
    ]),
  ),
})
const adf = v.strictObject({
  type: v.literal('doc'),
  version: v.literal(1),
  content: v.array(
    v.strictObject({ type: v.picklist(['paragraph', 'codeBlock']), content: v.array(adfText) }),
  ),
})
const jiraFields = (description: v.GenericSchema) =>
  v.strictObject({
    fields: v.strictObject({
      project: v.strictObject({ id: v.literal('10000') }),
      issuetype: v.strictObject({ id: v.literal('10001') }),
      summary: v.pipe(v.string(), v.minLength(1), v.maxLength(255), v.regex(/^[^\r\n]*$/)),
      description,
    }),
  })

/** Version 3 for Jira Cloud, by account and API token; version 2 for Data Center and its tokens. */
function answerJira({ headers, fields }: CreationRequest, version: string, number: number): TrackerAnswer {
  const basic = `Basic ${Buffer.from(`${jiraAccount}:${issueToken}`).toString('base64')}`
  if (headers.authorization !== (version === '3' ? basic : `Bearer ${issueToken}`))
    return { status: 401, body: { errorMessages: ['Client must be authenticated.'], errors: {} } }
  const parsed = v.safeParse(jiraFields(version === '3' ? adf : v.string()), fields)
  if (!parsed.success)
    return {
      status: 400,
      body: { errorMessages: [], errors: { [v.getDotPath(parsed.issues[0]) ?? '?']: 'is not valid.' } },
    }
  const self = `https://${headers.host ?? ''}/rest/api/${version}/issue/1${number}`
  return { status: 201, body: { id: `1${number}`, key: `SHOP-${number}`, self } }
}

const linearCall = v.strictObject({
  query: v.string(),
  variables: v.union([
    v.strictObject({ key: v.string() }),
    v.strictObject({
      input: v.strictObject({ teamId: v.literal(teamId()), title: v.string(), description: v.string() }),
    }),
  ]),
})

/** The id of the only team, `ENG`. */
function teamId(): string {
  return '9cfb482a-81e3-4154-b5b9-2c805e70a02d'
}

/** An error of GraphQL as Linear answers it. */
function fail(status: number, message: string, type: string): TrackerAnswer {
  return {
    status,
    body: { errors: [{ message, extensions: { type, userPresentableMessage: `${message}.` } }] },
  }
}

function answerLinear({ headers, fields }: CreationRequest, origin: string, number: number): TrackerAnswer {
  if (headers.authorization !== issueToken)
    return fail(401, 'Authentication required, not authenticated', 'authentication error')
  const parsed = v.safeParse(linearCall, fields)
  if (!parsed.success) return fail(400, 'Argument Validation Error', 'invalid input')
  const { query, variables } = parsed.output
  if ('key' in variables) {
    if (!/^query \w+\(\$key: String!\) \{ teams\(filter: .*\) \{ nodes \{ id \} \} \}$/.test(query))
      return fail(400, 'Cannot query field', 'graphql error')
    const nodes = variables.key === 'ENG' ? [{ id: teamId() }] : []
    return { status: 200, body: { data: { teams: { nodes } } } }
  }
  const mutation = 'issueCreate(input: $input) { success issue { url } }'
  if (!query.includes(mutation)) return fail(400, 'Cannot query field', 'graphql error')
  const url = `${origin}/acme/issue/ENG-${number}/in-linear`
  return { status: 200, body: { data: { issueCreate: { success: true, issue: { url } } } } }
}
