import { randomUUID } from 'node:crypto'
import type { Project } from './culvert.ts'

/** Sends one event like an SDK, under a random id, and returns that id; throws unless it was accepted. */
export async function sendEvent(project: Project, event: object, eventId = createId()): Promise<string> {
  await sendItems(project, eventId, [[{ type: 'event' }, { event_id: eventId, ...event }]])
  return eventId
}

/** Sends one transaction like an SDK, and returns its id; throws unless it was accepted. */
export async function sendTransaction(project: Project, transaction: object): Promise<string> {
  const [eventId, at] = [createId(), Date.now() / 1000]
  const times = { start_timestamp: at - 1, timestamp: at }
  const payload = { event_id: eventId, type: 'transaction', ...times, ...transaction }
  await sendItems(project, eventId, [[{ type: 'transaction' }, payload]])
  return eventId
}

const createId = () => randomUUID().replaceAll('-', '')

/**
 * Sends items in one envelope under an event id; other values than texts and bytes are sent as JSON. Throws
 * unless they were accepted.
 */
export async function sendItems(
  project: Project,
  eventId: string,
  items: [header: object, payload: object | string | Buffer][],
): Promise<void> {
  const chunks = [Buffer.from(`${JSON.stringify({ event_id: eventId, dsn: project.dsn })}\n`)]
  for (const [header, payload] of items) {
    const isRaw = typeof payload === 'string' || Buffer.isBuffer(payload)
    const bytes = Buffer.from(isRaw ? payload : JSON.stringify(payload))
    const line = JSON.stringify({ ...header, length: bytes.length })
    chunks.push(Buffer.from(`${line}\n`), bytes, Buffer.from('\n'))
  }
  await post(`${new URL(project.dsn).origin}/api/${project.id}/envelope/`, Buffer.concat(chunks))
}

/** Sends a security report like a browser; throws unless it was accepted. */
export async function sendReport(project: Project, report: object): Promise<void> {
  const { origin, username } = new URL(project.dsn)
  await post(
    `${origin}/api/${project.id}/security/?sentry_key=${username}`,
    JSON.stringify(report),
    'application/csp-report',
  )
}

async function post(
  url: string,
  body: string | Buffer<ArrayBuffer>,
  contentType = 'text/plain',
): Promise<void> {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': contentType } })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
}

/**
 * Sends events of as many issues, `Trouble 1` first and therefore last in the stream. Returns the ids of the
 * events.
 */
export async function sendIssues(project: Project, count: number): Promise<string[]> {
  const now = Date.now() / 1000
  const eventIds: string[] = []
  for (let number = 1; number <= count; number += 1) {
    const eventId = await sendEvent(project, {
      ...fullEvent(`Trouble ${number}`),
      fingerprint: [`trouble-${number}`],
      timestamp: now - (count - number) * 30,
    })
    eventIds.push(eventId)
  }
  return eventIds
}

/** A browser's report of a script that a site's policy blocked. */
export const cspReport = {
  'csp-report': {
    'document-uri': 'https://shop.example/checkout',
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://cdn.evil.example/a.js',
    'source-file': 'https://shop.example/app.js',
    'line-number': 24,
    'column-number': 7,
    disposition: 'enforce',
    'original-policy': "default-src 'self'; script-src 'self' https://cdn.example; report-uri /csp",
  },
}

/** An event with content in every part of the event page. */
export function fullEvent(type: string): object {
  return {
    platform: 'node',
    level: 'error',
    environment: 'production',
    release: 'shop@1.2.3',
    server_name: 'web-1',
    transaction: 'POST /checkout',
    exception: {
      values: [
        { type: 'GatewayError', value: 'answered 502', stacktrace: { frames: frames('readAnswer') } },
        {
          type,
          value:
            'a very long explanation of what went wrong, with-a-word-that-is-too-long-for-any-column-of-a-phone',
          mechanism: { type: 'generic', handled: false },
          stacktrace: { frames: frames('chargeCard') },
        },
      ],
    },
    breadcrumbs: {
      values: [
        {
          timestamp: Date.now() / 1000 - 3,
          category: 'query',
          message: 'select * from carts',
          data: { rows: 3 },
        },
        { timestamp: Date.now() / 1000 - 2, category: 'console', level: 'warning', message: 'slow answer' },
      ],
    },
    request: {
      method: 'POST',
      url: 'https://shop.example/checkout',
      query_string: 'step=pay',
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0' },
      data: { cart: 'c_81', items: [1, 2, 3] },
    },
    user: { id: '7', email: 'ada@example.com', ip_address: '203.0.113.9' },
    tags: { region: 'eu-central', 'customer.tier': 'gold' },
    contexts: { runtime: { name: 'node', version: 'v24.1.0' }, cart: { lines: 3, total: 9800 } },
    extra: { attempt: 2, nested: { deep: [1, { er: true }] } },
    modules: { kysely: '0.29.9' },
  }
}

function frames(inner: string): object[] {
  return [
    { function: 'dispatch', filename: 'node_modules/router/index.js', lineno: 31, colno: 4, in_app: false },
    {
      function: 'checkout',
      filename: 'src/checkout.ts',
      lineno: 12,
      colno: 9,
      in_app: true,
      context_line: 'await pay()',
    },
    {
      function: inner,
      filename: 'src/payments/a-folder-with-a-long-name/gateway-of-the-payment-provider.ts',
      lineno: 48,
      colno: 11,
      in_app: true,
      pre_context: ['  const answer = await post(order)', '  if (!answer.ok) {'],
      context_line:
        '    throw new PaymentError(`${order.id} was declined by the bank after ${attempts} attempts`)',
      post_context: ['  }', '  return answer'],
      vars: { order: { id: 'o_1', cents: 9800 }, attempts: 2 },
    },
  ]
}
