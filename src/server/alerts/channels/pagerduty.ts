import * as v from 'valibot'
import { isRecovery } from '#alerts/transition.ts'
import type { AlertItem, AlertMessage } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { cutText } from '#server/normalize/text.ts'
import { defineChannel } from './channel.ts'
import { matchingText, webUrlOr } from './field-schemas.ts'
import { judgeReceiver } from './http/judge-answer.ts'
import { sendJson } from './http/send-json.ts'
import { listAlerts, sendEach, toAlertKey } from './issue-alerts.ts'
import { highestSeverity, severityOf } from './level.ts'
import { toMessageText } from './message-text.ts'
import { toPlainLine } from './plain-text.ts'

const eventsApi = 'https://events.pagerduty.com'

/**
 * PagerDuty through Events API v2: an incident per issue, which is resolved when the issue is back to normal.
 */
export const pagerDuty = defineChannel({
  kind: 'pagerduty',
  name: 'PagerDuty',
  help: 'In PagerDuty: Services → the service → Integrations → Add integration → Events API V2, copy the integration key.',
  fields: [
    {
      name: 'routingKey',
      label: 'Integration key',
      help: '32 characters.',
      kind: 'text',
      isSecret: true,
    },
    {
      name: 'apiUrl',
      label: 'API URL',
      help: 'https://events.eu.pagerduty.com for accounts in Europe. Default: https://events.pagerduty.com.',
      kind: 'url',
      isOptional: true,
      defaultUrl: eventsApi,
    },
  ],
  schema: v.object({
    routingKey: matchingText(
      /^[A-Za-z0-9]{32}$/,
      'Enter the integration key of an Events API V2 integration: 32 letters and digits.',
    ),
    apiUrl: webUrlOr(eventsApi, `Enter the URL of the events API, or nothing for ${eventsApi}.`),
  }),
  send({ message, settings: { routingKey, apiUrl }, tools }) {
    return sendEach(toPagerDutyEvents(message), async (event) => {
      const body = JSON.stringify({ routing_key: routingKey, ...event })
      const answer = await sendJson({ url: `${apiUrl}/v2/enqueue`, body }, tools)
      return judgeReceiver(answer, { disabling: [401, 403], now: tools.now() })
    })
  },
})

const severities = ['info', 'warning', 'error', 'critical'] as const

/** An event of Events API v2 without its routing key. */
interface PagerDutyEvent {
  event_action: 'trigger' | 'resolve'
  /** The key of the incident. */
  dedup_key: string
  client: string
  client_url?: string
  links: { text: string; href: string }[]
  payload: {
    summary: string
    source: string
    severity: (typeof severities)[number]
    class: string
    timestamp?: string
    component?: string
    custom_details?: Record<string, string>
  }
}

/** The events of a message: one per issue, or one for a summary. Pure. */
function toPagerDutyEvents(message: AlertMessage): PagerDutyEvent[] {
  const alerts = listAlerts(message)
  return alerts.length > 0 ? alerts.map((item) => toIssueEvent(message, item)) : [toSummaryEvent(message)]
}

function toIssueEvent(message: AlertMessage, item: AlertItem): PagerDutyEvent {
  const text = toMessageText({ ...message, items: [item], moreCount: 0 })
  const { issue, change, transition, at } = item
  const isOver = isRecovery(transition)
  const key = issue === undefined ? [message.urls.list, change.key] : [issue.url, issue.shortId]
  const [shown] = text.items
  const facts = shown?.facts ?? []
  return {
    event_action: isOver ? 'resolve' : 'trigger',
    dedup_key: toAlertKey([...key, message.kind === 'test' ? 'test' : '']),
    ...toFrame(message),
    payload: {
      summary: cutText(`${text.lead}: ${text.title ?? ''}`, limits.pagerDutySummaryCharacters),
      source: toPlainLine(message.project.slug, limits.channelTextCharacters),
      severity: severities[severityOf((issue ?? change).level)],
      timestamp: new Date(at).toISOString(),
      ...(issue !== undefined && { component: toPlainLine(issue.culprit, limits.channelTextCharacters) }),
      class: transition,
      custom_details: {
        ...(issue !== undefined && { Issue: shown?.shortId ?? '' }),
        ...Object.fromEntries(facts.map(({ label, value }): [string, string] => [label, value])),
      },
    },
  }
}

function toSummaryEvent(message: AlertMessage): PagerDutyEvent {
  const { lead } = toMessageText(message)
  return {
    event_action: 'trigger',
    dedup_key: toAlertKey([message.urls.list, message.project.slug, message.kind]),
    ...toFrame(message),
    payload: {
      summary: cutText(lead, limits.pagerDutySummaryCharacters),
      source: toPlainLine(message.project.slug, limits.channelTextCharacters),
      severity: severities[highestSeverity(message)],
      class: message.kind,
    },
  }
}

function toFrame(message: AlertMessage) {
  const { links } = toMessageText(message)
  return {
    client: 'Culvert',
    client_url: links[0]?.url,
    links: links.map(({ label, url }) => ({ text: label, href: url })),
  }
}
