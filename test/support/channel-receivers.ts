import * as v from 'valibot'
import { alertOrigin } from './alert-messages.ts'
import {
  checkDiscord,
  checkGoogleChat,
  checkMattermost,
  checkSlack,
  checkTeams,
  checkTelegram,
  linkUrl,
  maxText,
} from './chat-messages.ts'
import type { RecordedRequest } from './fake-upstream.ts'
import { readPlain, type ShownText } from './shown-text.ts'

/** A service that receives alerts: what it accepts, and its answers. The limits are the service's. */
export interface ReceiverContract {
  /** The fields of a destination at that origin. */
  fields: (origin: string) => Record<string, string>
  /** The prefix of its paths. */
  path: RegExp
  /** Throws if the body violates the documentation. Returns its texts as the service shows them. */
  check: (body: unknown) => ShownText[]
  /** The body of its answer to an accepted request. */
  reply?: string
}

const NtfyBody = v.strictObject({
  topic: v.pipe(v.string(), v.regex(/^[-_A-Za-z0-9]{1,64}$/)),
  title: v.pipe(v.string(), v.maxBytes(1_024)),
  message: v.pipe(v.string(), v.maxBytes(4_096)),
  priority: v.picklist([1, 2, 3, 4, 5]),
  click: v.optional(linkUrl),
  actions: v.pipe(
    v.array(v.strictObject({ action: v.literal('view'), label: v.string(), url: linkUrl })),
    v.maxLength(3),
  ),
})

const PagerDutyBody = v.strictObject({
  routing_key: v.pipe(v.string(), v.length(32)),
  event_action: v.picklist(['trigger', 'acknowledge', 'resolve']),
  dedup_key: v.pipe(maxText(255), v.minLength(1)),
  client: v.string(),
  client_url: v.optional(linkUrl),
  links: v.array(v.strictObject({ text: v.string(), href: linkUrl })),
  payload: v.strictObject({
    summary: v.pipe(maxText(1_024), v.minLength(1)),
    source: v.pipe(v.string(), v.minLength(1)),
    severity: v.picklist(['critical', 'error', 'warning', 'info']),
    timestamp: v.optional(v.pipe(v.string(), v.isoTimestamp())),
    component: v.optional(v.string()),
    class: v.optional(v.string()),
    custom_details: v.optional(v.record(v.string(), v.string())),
  }),
})

const Label = v.pipe(
  v.string(),
  v.minLength(1),
  v.check((text) => text.isWellFormed()),
)
const AlertmanagerBody = v.pipe(
  v.array(
    v.strictObject({
      labels: v.pipe(
        v.record(v.pipe(v.string(), v.regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/)), Label),
        v.check(({ alertname }) => alertname !== undefined),
      ),
      annotations: v.record(v.string(), Label),
      startsAt: v.pipe(v.string(), v.isoTimestamp()),
      endsAt: v.pipe(v.string(), v.isoTimestamp()),
      generatorURL: v.optional(linkUrl),
    }),
  ),
  v.minLength(1),
  v.check(
    (alerts) => alerts.every(({ startsAt, endsAt }) => startsAt <= endsAt),
    'an alert ends before it starts',
  ),
)

const WebhookBody = v.strictObject({
  type: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_]+(?:\.[a-zA-Z0-9_]+)*$/)),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  data: v.looseObject({ issues: v.array(v.looseObject({ title: v.string() })), moreCount: v.number() }),
})

const SentryBody = v.strictObject({
  action: v.picklist(['created', 'assigned', 'unresolved', 'triggered']),
  actor: v.strictObject({ type: v.string(), id: v.string(), name: v.string() }),
  installation: v.strictObject({ uuid: v.string() }),
  data: v.union([
    v.object({
      issue: v.looseObject({ id: v.string(), title: v.string(), count: v.string(), web_url: linkUrl }),
    }),
    v.object({
      event: v.looseObject({ title: v.string(), web_url: linkUrl }),
      triggered_rule: v.string(),
      issue_alert: v.object({ title: v.string() }),
    }),
  ]),
})

/** Data without links: only its form is checked. */
const dataOf =
  (schema: v.GenericSchema, maxBytes: number) =>
  (body: unknown): ShownText[] => {
    v.parse(schema, body)
    if (Buffer.byteLength(JSON.stringify(body)) > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    return []
  }

const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** The services by the kind of their channel; email is another protocol. */
export const receiverContracts: Readonly<Record<string, ReceiverContract>> = {
  'slack-webhook': {
    fields: (origin) => ({ url: `${origin}/services/T000/B000/XXXX` }),
    path: /^\/services\/T000\/B000\/XXXX$/,
    check: checkSlack,
    reply: 'ok',
  },
  'slack-bot': {
    fields: (origin) => ({ token: 'xoxb-1234-SECRET', channel: 'C0123456789', apiUrl: `${origin}/api` }),
    path: /^\/api\/chat\.(?:postMessage|update)$/,
    check: checkSlack,
    reply: JSON.stringify({ ok: true, channel: 'C0123456789', ts: '1503435956.000247' }),
  },
  discord: {
    fields: (origin) => ({ url: `${origin}/api/webhooks/1234/SECRET-token`, threadId: '99' }),
    path: /^\/api\/webhooks\/1234\/SECRET-token(?:\?wait=true&thread_id=99|\/messages\/[0-9]+\?thread_id=99)$/,
    check: checkDiscord,
    reply: JSON.stringify({ id: '1100110011' }),
  },
  mattermost: {
    fields: (origin) => ({ url: `${origin}/hooks/abcdef0123` }),
    path: /^\/hooks\/abcdef0123$/,
    check: checkMattermost,
    reply: 'ok',
  },
  teams: {
    fields: (origin) => ({
      url: `${origin}/workflows/abc/triggers/manual/paths/invoke?api-version=1&sig=SECRET`,
    }),
    path: /^\/workflows\/abc\/triggers\/manual\/paths\/invoke\?api-version=1&sig=SECRET$/,
    check: checkTeams,
  },
  telegram: {
    fields: (origin) => ({
      token: '123456:ABCDEFGHIJKLMNOPQRSTUVWX',
      chatId: '-1001234567890',
      topicId: '5',
      apiUrl: origin,
    }),
    path: /^\/bot123456:ABCDEFGHIJKLMNOPQRSTUVWX\/(?:sendMessage|editMessageText)$/,
    check: checkTelegram,
    reply: JSON.stringify({ ok: true, result: { message_id: 77 } }),
  },
  'google-chat': {
    fields: (origin) => ({ url: `${origin}/v1/spaces/AAAA/messages?key=KEY&token=SECRET` }),
    path: /^\/v1\/spaces\/AAAA\/messages\?key=KEY&token=SECRET&messageReplyOption=/,
    check: checkGoogleChat,
    reply: '{}',
  },
  ntfy: {
    fields: (origin) => ({ topic: 'culvert-test', serverUrl: origin, token: 'tk_SECRETtoken' }),
    path: /^\/$/,
    check(body) {
      const { title, message, click, actions } = v.parse(NtfyBody, body)
      return [
        readPlain(title),
        readPlain(message),
        {
          text: '',
          links: [...(click === undefined ? [] : [click]), ...actions.map((action) => action.url)],
        },
      ]
    },
  },
  pagerduty: {
    fields: (origin) => ({ routingKey: 'R'.repeat(32), apiUrl: origin }),
    path: /^\/v2\/enqueue$/,
    check: dataOf(PagerDutyBody, 512_000),
    reply: JSON.stringify({ status: 'success' }),
  },
  alertmanager: {
    fields: (origin) => ({ url: `${origin}/alerts/`, authorization: 'Bearer SECRET' }),
    path: /^\/alerts\/api\/v2\/alerts$/,
    check: dataOf(AlertmanagerBody, 1_000_000),
  },
  webhook: {
    fields: (origin) => ({ url: `${origin}/hook?token=SECRET`, secret: signingSecret }),
    path: /^\/hook\?token=SECRET$/,
    check: dataOf(WebhookBody, 20_000),
  },
  'sentry-webhook': {
    fields: (origin) => ({ url: `${origin}/sentry`, clientSecret: 'client-SECRET' }),
    path: /^\/sentry$/,
    check: dataOf(SentryBody, 100_000),
  },
}

/** Checks a request like its service; an error names the violation of its documentation. */
export function checkRequest(kind: string, request: RecordedRequest): void {
  const contract = receiverContracts[kind]
  if (contract === undefined) throw new Error(`no contract for ${kind}`)
  if (!contract.path.test(request.url)) throw new Error(`the path ${request.url}`)
  if (!request.headers['content-type']?.startsWith('application/json')) throw new Error('no JSON')
  const shown = contract.check(JSON.parse(request.body.toString('utf8')))
  const foreign = shown.flatMap(({ links }) => links).filter((link) => !link.startsWith(`${alertOrigin}/`))
  if (foreign.length > 0) throw new Error(`links to ${foreign.join(', ')}`)
}
