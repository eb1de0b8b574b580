import * as v from 'valibot'
import { isRecovery } from '#alerts/transition.ts'
import type { AlertItem, AlertMessage } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { minuteMs } from '#time/time-steps.ts'
import { defineChannel } from './channel.ts'
import { optionalText, webUrl } from './field-schemas.ts'
import { judgeReceiver } from './http/judge-answer.ts'
import { sendJson } from './http/send-json.ts'
import { listAlerts } from './issue-alerts.ts'
import { highestSeverity, severityOf } from './level.ts'
import { formatUtc, toMessageText } from './message-text.ts'
import { toPlainLine } from './plain-text.ts'

/** The default duration of an alert in minutes. */
const standingMinutes = 60

/** Prometheus Alertmanager through its API v2, which routes, groups and silences alerts. */
export const alertmanager = defineChannel({
  kind: 'alertmanager',
  name: 'Alertmanager',
  help: 'The URL of an Alertmanager, with the path of --web.external-url. Alerts have the labels alertname, project, issue, severity, level, environment and transition.',
  fields: [
    {
      name: 'url',
      label: 'URL',
      help: 'Culvert posts to /api/v2/alerts below it.',
      kind: 'url',
      example: 'https://alertmanager.example.com',
    },
    {
      name: 'authorization',
      label: 'Authorization',
      help: 'The value of the Authorization header: Bearer TOKEN, or Basic with user and password in Base64.',
      kind: 'text',
      isSecret: true,
      isOptional: true,
    },
    {
      name: 'standingMinutes',
      label: 'Minutes',
      help: `How long an alert is active. Default: ${standingMinutes}.`,
      kind: 'text',
      isOptional: true,
    },
  ],
  schema: v.object({
    url: v.pipe(
      webUrl('Enter the URL of an Alertmanager.'),
      v.transform((url) => url.replace(/(?:\/api\/v2\/alerts)?\/*$/, '')),
    ),
    authorization: optionalText(
      /^(?:Bearer|Basic) [!-~]+$/,
      'Enter "Bearer" or "Basic", a space and the credentials, or nothing.',
    ),
    standingMinutes: optionalText(
      /^[1-9][0-9]{0,4}$/,
      'Enter a number of minutes from 1 to 99999, or nothing.',
    ),
  }),
  async send({ message, settings: { url, authorization, standingMinutes: minutes }, tools }) {
    const standingMs = (minutes === undefined ? standingMinutes : Number(minutes)) * minuteMs
    const body = JSON.stringify(toAlertmanagerAlerts(message, { now: tools.now(), standingMs }))
    const headers = authorization === undefined ? undefined : { authorization }
    const answer = await sendJson({ url: `${url}/api/v2/alerts`, headers, body }, tools)
    return judgeReceiver(answer, { now: tools.now() })
  },
})

const severityLabels = ['info', 'warning', 'error', 'critical'] as const

interface AlertTimes {
  /** Unix milliseconds. */
  now: number
  /** How long an alert lasts. It is not repeated, and expires after this time. */
  standingMs: number
}

/** The alerts of a message, each with its end. Pure. */
function toAlertmanagerAlerts(message: AlertMessage, times: AlertTimes) {
  const alerts = listAlerts(message)
  return alerts.length > 0
    ? alerts.map((item) => toIssueAlert(message, item, times))
    : [toSummaryAlert(message, times)]
}

function toIssueAlert(message: AlertMessage, item: AlertItem, { now, standingMs }: AlertTimes) {
  const { issue, change, transition } = item
  const { level, environment = '' } = issue ?? change
  const { lead, title = '', links } = toMessageText({ ...message, items: [item], moreCount: 0 })
  const isOver = isRecovery(transition)
  // The labels identify an alert: they contain nothing that changes while it is active.
  return {
    labels: toLabels({
      alertname:
        message.kind === 'test' ? 'CulvertTest' : issue === undefined ? 'CulvertProject' : 'CulvertIssue',
      organization: message.organization,
      project: message.project.slug,
      issue: issue?.shortId ?? '',
      subject: change?.key ?? '',
      // The end of an ingest problem has a lower level, which as a label would make it another alert.
      ...(issue !== undefined && { level, severity: severityLabels[severityOf(level)] }),
      environment,
    }),
    annotations: toLabels({
      summary: `${lead}: ${title}`,
      description: issue?.culprit ?? '',
      transition,
      first_seen: issue === undefined ? '' : formatUtc(issue.firstSeenAt),
    }),
    startsAt: new Date(isOver ? Math.min(item.at, issue?.lastSeenAt ?? item.at) : item.at).toISOString(),
    endsAt: new Date(isOver ? now : Math.max(now, item.at) + standingMs).toISOString(),
    generatorURL: links[0]?.url,
  }
}

function toSummaryAlert(message: AlertMessage, { now, standingMs }: AlertTimes) {
  const { lead, links } = toMessageText(message)
  return {
    labels: toLabels({
      alertname: 'CulvertIssues',
      organization: message.organization,
      project: message.project.slug,
      severity: severityLabels[highestSeverity(message)],
    }),
    annotations: toLabels({ summary: lead }),
    startsAt: new Date(now).toISOString(),
    endsAt: new Date(now + standingMs).toISOString(),
    generatorURL: links[0]?.url,
  }
}

/** Alertmanager drops empty labels; values can be any UTF-8. */
function toLabels(values: Readonly<Record<string, string>>): Record<string, string> {
  const labels: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    const line = toPlainLine(value, limits.channelTitleCharacters * 2)
    if (line !== '') labels[name] = line
  }
  return labels
}
