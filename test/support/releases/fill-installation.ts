import { join } from 'node:path'
import * as Sentry from '@sentry/node'
import * as v from 'valibot'
import { setUpOwner } from '../session.ts'
import type { ReleaseFacts } from './release-fixtures.ts'

/**
 * A running server of a released version. Only what its users have reaches it: its pages, its API, its
 * command line and an SDK.
 */
interface ReleasedServer {
  origin: string
  /** Its output for the operator. */
  printed: () => string
  /** Runs its command line, and returns the output. */
  command: (...args: string[]) => Promise<string>
}

const root = join(import.meta.dirname, '../../..')
const owner = { name: 'Ada Owner', email: 'ada@example.com', password: 'a password for tests' }
const member = { name: 'Bo Member', email: 'bo@example.com', password: 'another password for tests' }
const scopes = ['org:read', 'project:read', 'project:releases', 'event:read', 'event:write', 'alerts:write']
const release = 'shop@1.0.0'
const text = 'order,items\n17,3\n'
const titles = ['CartError', 'PaymentError', 'MailError', 'StockError']

/** Stores what a team has after a while, some of every kind, and returns what a later version must find. */
export async function fillInstallation(server: ReleasedServer): Promise<ReleaseFacts> {
  const { origin, printed, command } = server
  const dsn = /DSN\s+(\S+)/.exec(await command('project', 'add', 'Shop'))?.[1] ?? ''
  // The fixture is read years later.
  await command('retention', 'set', 'shop', '--days', '3650')
  const cookie = await setUpOwner(origin, printed())
  await addMember(server)
  const post = postWith(origin, `${cookie.name}=${cookie.value}`)
  const fields = scopes.map((scope) => ['scopes', scope])
  const shown = await post('/settings/tokens', [['action', 'create'], ['name', 'ci'], ...fields])
  const token = /sntryu_[0-9a-f]{64}/.exec(shown)?.[0]
  if (token === undefined) throw new Error('the page showed no token')
  await command('destination', 'add', 'webhook', 'Ops', 'url=https://hooks.example.com/culvert')
  const sent = await sendEvents(dsn)
  const api = callWith(origin, token)
  await describeRelease(api)
  const issues = await triage(api, sent.eventIds)
  await api('POST', '/projects/example/shop/rules/', alertRule)
  await api('POST', '/projects/example/shop/uptime/', { name: 'Shop', url: 'https://shop.example.com/' })
  await api('PUT', '/projects/example/shop/ownership/', { raw: `path:src/* ${member.email}` })
  await post('/actions/saved-search', [
    ['action', 'save'],
    ['name', 'Mine'],
    ['q', 'is:unresolved assigned:me'],
  ])
  const url = new URL(dsn)
  return {
    owner,
    member,
    token,
    project: { id: Number(url.pathname.slice(1)), slug: 'shop', publicKey: url.username },
    issues,
    traceId: sent.traceId,
    attachment: { eventId: sent.eventIds[0] ?? '', text },
    monitor: 'nightly',
    rule: alertRule.name,
    release,
  }
}

async function addMember({ origin, command }: ReleasedServer): Promise<void> {
  const link = await command('user', 'add', member.email, '--name', member.name, '--role', 'member')
  const path = /\/password\/\S+/.exec(link)?.[0] ?? ''
  await postWith(origin, '')(path, [
    ['action', 'save'],
    ['password', member.password],
  ])
}

const alertRule = {
  name: 'Errors of the shop',
  actionMatch: 'any',
  filterMatch: 'all',
  frequency: 30,
  conditions: [
    { id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' },
    { id: 'sentry.rules.conditions.regression_event.RegressionEventCondition' },
  ],
  filters: [{ id: 'sentry.rules.filters.level.LevelFilter', match: 'gte', level: '40' }],
  actions: [{ id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'IssueOwners' }],
}

/** Errors with breadcrumbs, users and an attachment, a trace, check-ins, a session and feedback. */
async function sendEvents(dsn: string): Promise<{ eventIds: string[]; traceId: string }> {
  const client = Sentry.init({
    dsn,
    release,
    environment: 'production',
    serverName: 'shop-1',
    tracesSampleRate: 1,
    defaultIntegrations: false,
    // The last one, or the lines would not be found: the paths of this machine do not belong into a fixture.
    integrations: [Sentry.contextLinesIntegration(), Sentry.rewriteFramesIntegration({ root })],
  })
  const eventIds: string[] = []
  for (const [index, title] of titles.entries()) {
    for (let user = 0; user <= index; user += 1) {
      Sentry.withScope((scope) => {
        scope.setUser({ id: String(user), email: `user${user}@example.com` })
        scope.setTag('region', user % 2 === 0 ? 'eu' : 'us')
        scope.addBreadcrumb({ category: 'cart', message: `added item ${user}` })
        if (index === 0) scope.addAttachment({ filename: 'order.csv', data: text })
        eventIds[index] = Sentry.captureException(makeError(title))
      })
    }
  }
  let traceId = ''
  Sentry.startSpan({ name: 'GET /checkout', op: 'http.server', forceTransaction: true }, (span) => {
    traceId = span.spanContext().traceId
    Sentry.startSpan({ name: 'SELECT * FROM orders', op: 'db.query' }, () => {
      Sentry.captureException(makeError('TraceError'))
    })
  })
  const schedule = { type: 'crontab', value: '0 4 * * *' } as const
  const checkInId = Sentry.captureCheckIn({ monitorSlug: 'nightly', status: 'in_progress' }, { schedule })
  Sentry.captureCheckIn({ monitorSlug: 'nightly', status: 'error', checkInId, duration: 12 })
  Sentry.startSession()
  Sentry.endSession()
  Sentry.captureFeedback({ message: 'The cart is empty', email: 'user@example.com' })
  if (!(await Sentry.flush(10_000))) throw new Error('the SDK could not send its events')
  await client?.close()
  return { eventIds, traceId }
}

function makeError(name: string): Error {
  const error = new Error(`${name} of order 17`)
  error.name = name
  return error
}

type Api = (method: string, path: string, body?: unknown) => Promise<unknown>

async function describeRelease(api: Api): Promise<void> {
  const commit = { id: 'c0ffee'.repeat(6), message: 'Add the cart', author_email: member.email }
  const patch = [{ path: 'src/cart.ts', type: 'M' }]
  await api('POST', '/organizations/example/releases/', { version: release, projects: ['shop'] })
  await api('PUT', `/organizations/example/releases/${release}/`, {
    commits: [{ ...commit, patch_set: patch }],
  })
  await api('POST', `/organizations/example/releases/${release}/deploys/`, { environment: 'production' })
}

const Listed = v.array(v.object({ id: v.string(), shortId: v.string(), title: v.string() }))

/** One issue stays unresolved, one is resolved, one archived, one assigned with a comment. */
async function triage(api: Api, eventIds: readonly string[]): Promise<ReleaseFacts['issues']> {
  const listed = v.parse(Listed, await api('GET', '/organizations/example/issues/?query=&limit=100'))
  const changes = [
    undefined,
    { status: 'resolved' },
    { status: 'ignored', statusDetails: { ignoreCount: 100 } },
    { assignedTo: member.email },
  ]
  const issues = []
  for (const [index, name] of titles.entries()) {
    const issue = listed.find(({ title }) => title.includes(name))
    if (issue === undefined) throw new Error(`there is no issue ${name}`)
    const change = changes[index]
    if (change !== undefined) await api('PUT', `/organizations/example/issues/${issue.id}/`, change)
    if (index === 3)
      await api('POST', `/organizations/example/issues/${issue.id}/comments/`, { text: 'Seen.' })
    const status = change?.status ?? 'unresolved'
    issues.push({ shortId: issue.shortId, title: issue.title, status, eventId: eventIds[index] ?? '' })
  }
  return issues
}

function callWith(origin: string, token: string): Api {
  return async (method, path, body) => {
    const answer = await fetch(`${origin}/api/0${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    const json: unknown = await answer.json()
    return json
  }
}

/** Posts a form of a page like a browser without JavaScript. */
function postWith(origin: string, cookie: string) {
  return async (path: string, fields: string[][]): Promise<string> => {
    const answer = await fetch(origin + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin', referer: `${origin}/issues` },
      body: new URLSearchParams(fields.map(([name = '', value = '']): [string, string] => [name, value])),
    })
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.text()
  }
}
