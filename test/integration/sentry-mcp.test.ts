import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { afterAll, describe, expect, it } from 'vitest'
import { handleApiRequest } from '#server/api/handle-api-request.ts'
import { addToken } from '#test/api-server.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'

/** The MCP server of Sentry, as coding agents start it, with `--host`: it calls the API of this server. */

const requests: string[] = []
const eventId = 'a1'.repeat(16)

const server = await startServer({
  loadApp: async (services) => async (request, response) => {
    const answer = await handleApiRequest(services, new NodeRequest({ req: request, res: response }))
    requests.push(`${answer.status} ${request.url?.replace(/\?.*/, '') ?? ''}`)
    await sendNodeResponse(response, answer)
  },
})
await sendEvent()
const token = await addToken(server)
const program = fileURLToPath(import.meta.resolve('@sentry/mcp-server'))
// Its own errors go to this server: without the option it reports them to Sentry.
const telemetry = `--sentry-dsn=${await server.dsn(fixtureProject.id)}`
const options = ['--insecure-http', '--disable-skills=seer', telemetry]
const { host } = new URL(server.origin)
const args = [program, `--access-token=${token}`, `--host=${host}`, ...options]
const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
afterAll(async () => {
  await client.close()
  await server.stop()
})

async function sendEvent(): Promise<void> {
  const frame = { function: 'pay', filename: 'src/pay.ts', lineno: 7, in_app: true }
  const event = {
    event_id: eventId,
    platform: 'javascript',
    release: 'shop@1.0.0',
    environment: 'production',
    tags: { region: 'eu' },
    exception: { values: [{ type: 'TypeError', value: 'no card', stacktrace: { frames: [frame] } }] },
  }
  const { status } = await postEnvelope(server.origin, envelopeOf({}, ['event', event]))
  expect(status).toBe(200)
}

/** The text of an answer. Throws if the tool reports an error. */
async function call(name: string, input: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: input })
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  if (isError === true) throw new Error(text)
  return text
}

/** Tools that the server does not list, but runs by name. */
const run = (name: string, input: Record<string, unknown> = {}) =>
  call('execute_sentry_tool', { name, arguments: { organizationSlug: 'default', ...input } })

const resource = (resourceType: string, resourceId: string) =>
  call('get_sentry_resource', { organizationSlug: 'default', resourceType, resourceId })

describe('Sentry’s MCP server with --host', () => {
  it('finds organizations, projects, releases and teams, and who is signed in', async () => {
    expect(await call('find_organizations')).toContain('"slug": "default"')
    expect(await call('find_projects', { organizationSlug: 'default' })).toContain('"slug": "fixture"')
    expect(await run('find_releases')).toContain('shop@1.0.0')
    expect(await run('find_teams')).toContain('"teams": []')
    expect(await run('whoami')).toContain('tool@example.com')
  })

  it('searches issues, and reads one by its short id, its address and the id of an event', async () => {
    const query = {
      organizationSlug: 'default',
      projectSlugOrId: 'fixture',
      query: 'is:unresolved region:eu',
    }
    const found = await call('search_issues', query)
    expect(found).toContain('Found **1** issue')
    expect(found).toContain('TypeError: no card')
    const issue = await resource('issue', 'FIXTURE-1')
    for (const part of ['# Issue FIXTURE-1 in **default**', 'src/pay.ts:7', 'no card', '**region**: eu'])
      expect(issue).toContain(part)
    const url = `${server.origin}/organizations/default/issues/FIXTURE-1/`
    expect(await call('get_sentry_resource', { url })).toContain('# Issue FIXTURE-1 in **default**')
    expect(await resource('event', eventId)).toContain('TypeError: no card')
  })

  it('reads the events, tag values and attachments of an issue', async () => {
    const issue = { issueId: 'FIXTURE-1' }
    expect(await run('search_issue_events', { ...issue, query: '' })).toContain('TypeError: no card')
    expect(await run('get_issue_tag_values', { ...issue, tagKey: 'region' })).toContain('"value": "eu"')
    const event = { projectSlug: 'fixture', eventId }
    expect(await run('get_event_attachment', event)).toContain('No attachments found')
  })

  it('comments, assigns, resolves and reopens', async () => {
    const issue = { organizationSlug: 'default', issueId: 'FIXTURE-1' }
    expect(await run('add_issue_note', { ...issue, text: 'Seen by an agent' })).toContain('Seen by an agent')
    expect(await call('update_issue', { ...issue, status: 'resolved' })).toContain(
      'unresolved → **resolved**',
    )
    expect(await call('update_issue', { ...issue, status: 'unresolved' })).toContain('**unresolved**')
    const { connection } = server.services.store
    expect(connection.prepare('SELECT status FROM issues').get()).toMatchObject({ status: 'unresolved' })
  })

  it('gets no error from the API but for the count of replays', () => {
    const failed = requests.filter((line) => !line.startsWith('2'))
    expect([...new Set(failed)]).toEqual(['404 /api/0/organizations/default/replay-count/'])
  })
})
