import { createHmac, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { AlertTransition } from '#alerts/transition.ts'
import {
  formatHeadline,
  type AlertIssue,
  type AlertItem,
  type AlertMessage,
  type IssueItem,
  type ProjectItem,
} from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { defineChannel } from './channel.ts'
import { requiredText, webUrl } from './field-schemas.ts'
import { judgeReceiver } from './http/judge-answer.ts'
import { sendJson } from './http/send-json.ts'
import { sendEach } from './issue-alerts.ts'
import { toWebUrl } from './message-text.ts'
import { toPlainLine } from './plain-text.ts'

/**
 * A webhook in Sentry's format, for existing receivers.
 * https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
 */
export const sentryWebhook = defineChannel({
  kind: 'sentry-webhook',
  name: 'Webhook (Sentry)',
  help: "For services that accept the webhooks of Sentry's internal integrations. Enter their URL and the client secret.",
  fields: [
    {
      name: 'url',
      label: 'URL',
      help: 'Never shown again: many URLs have a token in them.',
      kind: 'url',
      isSecret: true,
    },
    {
      name: 'clientSecret',
      label: 'Client secret',
      help: 'Signs each request, as in Sentry-Hook-Signature.',
      kind: 'text',
      isSecret: true,
    },
  ],
  schema: v.object({
    url: webUrl('Enter the URL of the receiver.'),
    clientSecret: requiredText('Enter the secret with which the receiver checks signatures.'),
  }),
  send({ message, settings: { url, clientSecret }, tools }) {
    return sendEach(toSentryHooks(message), async ({ resource, ...hook }) => {
      const body = JSON.stringify(hook)
      const headers = {
        'request-id': randomUUID(),
        'sentry-hook-resource': resource,
        'sentry-hook-timestamp': String(Math.floor(tools.now() / 1_000)),
        'sentry-hook-signature': createHmac('sha256', clientSecret).update(body).digest('hex'),
      }
      return judgeReceiver(await sendJson({ url, headers, body }, tools), {
        disabling: [410],
        now: tools.now(),
      })
    })
  },
})

/** One request: the header `Sentry-Hook-Resource` and the body. */
interface SentryHook {
  resource: 'issue' | 'event_alert'
  action: string
  actor: typeof actor
  installation: typeof installation
  data: object
}

/**
 * The requests of a message, one per issue: `issue` for transitions that Sentry sends as such, otherwise
 * `event_alert`. Issues beyond the limit are left out. Pure.
 */
function toSentryHooks(message: AlertMessage): SentryHook[] {
  const { items } = message
  return items.length === 0
    ? [toSummaryHook(message)]
    : items.slice(0, limits.channelAlertsSent).map((item) => toHook(message, item))
}

/** The request of a message without issues. */
function toSummaryHook(message: AlertMessage): SentryHook {
  const { rules, urls, project } = message
  const rule = toText(rules[0]?.name ?? 'Culvert')
  const title = toText(formatHeadline(message))
  const event = {
    title,
    web_url: toWebUrl(urls.list),
    url: toWebUrl(urls.list),
    project: toText(project.slug),
  }
  const data = { event, triggered_rule: rule, issue_alert: { title: rule } }
  return { resource: 'event_alert', action: 'triggered', actor, installation, data }
}

const actor = { type: 'application', id: 'culvert', name: 'Culvert' }
const installation = { uuid: '00000000-0000-4000-8000-000000000000' }

function toHook(message: AlertMessage, item: AlertItem): SentryHook {
  if (item.issue === undefined)
    return {
      resource: 'event_alert',
      action: 'triggered',
      actor,
      installation,
      data: toChangeData(message, item),
    }
  const action = message.kind === 'test' ? undefined : issueActions[item.transition]
  return action === undefined
    ? { resource: 'event_alert', action: 'triggered', actor, installation, data: toAlertData(message, item) }
    : { resource: 'issue', action, actor, installation, data: { issue: toIssue(message, item) } }
}

/** The actions of Sentry's resource `issue` for the transitions that it supports. */
const issueActions: Partial<Record<AlertTransition, string>> = {
  new: 'created',
  assigned: 'assigned',
  regressed: 'unresolved',
  escalated: 'unresolved',
  unarchived: 'unresolved',
  recovered: 'resolved',
}

/** The data of transitions for which Sentry has no webhook: the fields that receivers show of an alert. */
function toChangeData({ project, rules }: AlertMessage, { change, at }: ProjectItem) {
  const rule = toText(rules[0]?.name ?? 'Culvert')
  const url = toWebUrl(change.url)
  const tags = [
    ['level', change.level],
    ['environment', change.environment],
    ['release', change.release],
  ].flatMap(([key, value]) => (value === undefined ? [] : [[key, toText(value)]]))
  const event = {
    title: toText(change.title),
    level: toText(change.level),
    datetime: new Date(at).toISOString(),
    web_url: url,
    url,
    environment: change.environment === undefined ? undefined : toText(change.environment),
    release: change.release === undefined ? undefined : toText(change.release),
    project: toText(project.slug),
    tags,
  }
  return { event, triggered_rule: rule, issue_alert: { title: rule } }
}

function toIssue({ project }: AlertMessage, { issue, transition }: IssueItem) {
  const { slug, name } = project
  return {
    id: toIssueId(issue.url, issue.shortId),
    shortId: toText(issue.shortId),
    title: toText(issue.title),
    culprit: toText(issue.culprit),
    level: toText(issue.level),
    ...(transition === 'recovered'
      ? { status: 'resolved', substatus: null }
      : { status: 'unresolved', substatus: toSubstatus(issue, transition) }),
    permalink: toWebUrl(issue.url),
    web_url: toWebUrl(issue.url),
    count: String(issue.eventCount),
    userCount: issue.userCount,
    firstSeen: new Date(issue.firstSeenAt).toISOString(),
    lastSeen: new Date(issue.lastSeenAt).toISOString(),
    project: { slug: toText(slug), name: toText(name) },
    assignedTo: issue.assignee === undefined ? null : { type: 'user', name: toText(issue.assignee) },
    metadata: toMetadata(issue),
  }
}

/** As in the API, but also with `escalating`, Sentry's name, which receivers would otherwise miss. */
function toSubstatus({ firstSeenAt, lastSeenAt }: AlertIssue, transition: AlertTransition): string {
  if (transition === 'regressed') return 'regressed'
  if (transition === 'escalated') return 'escalating'
  return transition !== 'unarchived' && lastSeenAt - firstSeenAt < limits.newIssueMs ? 'new' : 'ongoing'
}

function toMetadata({ title, type }: AlertIssue) {
  if (type === undefined) return { title: toText(title) }
  const name = toText(type.name)
  return type.value === undefined ? { title: name } : { type: name, value: toText(type.value), title: name }
}

function toAlertData({ project, rules }: AlertMessage, { issue, at }: IssueItem) {
  const rule = toText(rules[0]?.name ?? 'Culvert')
  const tags = [
    ['level', issue.level],
    ['environment', issue.environment],
    ['release', issue.release],
  ].flatMap(([key, value]) => (value === undefined ? [] : [[key, toText(value)]]))
  return {
    event: {
      issue_id: toIssueId(issue.url, issue.shortId),
      issue_url: toWebUrl(issue.url),
      web_url: toWebUrl(issue.url),
      url: toWebUrl(issue.url),
      title: toText(issue.title),
      culprit: toText(issue.culprit),
      level: toText(issue.level),
      datetime: new Date(at).toISOString(),
      environment: issue.environment === undefined ? undefined : toText(issue.environment),
      release: issue.release === undefined ? undefined : toText(issue.release),
      project: toText(project.slug),
      tags,
    },
    triggered_rule: rule,
    issue_alert: { title: rule },
  }
}

/** The id in the issue's URL, by which receivers identify it; its short id if there is none. */
function toIssueId(url: string, shortId: string): string {
  const [, id] = /\/issues\/([0-9]+)(?:[/?#]|$)/.exec(url) ?? []
  return id ?? toText(shortId)
}

function toText(text: string): string {
  return toPlainLine(text, limits.channelTitleCharacters)
}
