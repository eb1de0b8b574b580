import { isOfProject } from '#alerts/transition.ts'
import type { AlertMessage, IssueItem, ProjectItem } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { fitIssues, toWebUrl } from './message-text.ts'
import { toPlainLine } from './plain-text.ts'

/** The body of a webhook: type, time, data (Standard Webhooks 1.0). */
export interface WebhookBody {
  /**
   * `issue.new`, `project.release`, `issues.changed` for several transitions, `alerts.storm`, `alerts.test`.
   */
  type: string
  /** RFC 3339, of the latest transition. */
  timestamp: string
  data: ReturnType<typeof toData>
}

/** The body for a message, within the size that the specification recommends. `now`: Unix ms. Pure. */
export function toWebhookBody(message: AlertMessage, now: number): WebhookBody {
  const latestAt = Math.max(...message.items.map(({ at }) => at))
  return fitIssues(
    (itemCount) => ({
      type: typeOf(message),
      timestamp: toIso(Number.isFinite(latestAt) ? latestAt : now),
      data: toData(message, itemCount),
    }),
    (body) => Buffer.byteLength(JSON.stringify(body)) <= limits.webhookBytes,
  )
}

function typeOf({ kind, items, moreCount }: AlertMessage): string {
  const [first] = items
  if (kind !== 'transitions' || first === undefined)
    return `alerts.${kind === 'transitions' ? 'summary' : kind}`
  const isAlike = moreCount === 0 && items.every(({ transition }) => transition === first.transition)
  if (!isAlike) return 'issues.changed'
  return `${isOfProject(first.transition) ? 'project' : 'issue'}.${first.transition}`
}

function toData(message: AlertMessage, itemCount: number) {
  const { organization, project, rules, items, urls } = message
  const shown = items.slice(0, itemCount)
  return {
    organization: toText(organization),
    project: { slug: toText(project.slug), name: toText(project.name) },
    rules: rules
      .slice(0, limits.channelRulesNamed)
      .map(({ name, url }) => ({ name: toText(name), url: toWebUrl(url) })),
    issues: shown.flatMap((item) => (item.issue === undefined ? [] : [toIssue(item)])),
    ...toChangesPart(shown.flatMap((item) => (item.change === undefined ? [] : [toProjectChange(item)]))),
    moreCount: items.length - shown.length + message.moreCount,
    urls: {
      list: toWebUrl(urls.list),
      rule: toWebUrl(urls.rule),
      mute: toWebUrl(urls.mute),
      held: urls.held && toWebUrl(urls.held),
    },
  }
}

/** `news`: the transitions of the project. Absent in most messages. */
function toChangesPart(news: readonly ReturnType<typeof toProjectChange>[]) {
  return news.length === 0 ? {} : { news }
}

function toProjectChange({ transition, change, at, lateByMs }: ProjectItem) {
  const { key, title, level, url, environment, release } = change
  return {
    transition,
    at: toIso(at),
    lateBySeconds: lateByMs === undefined ? undefined : Math.round(lateByMs / 1_000),
    key: toText(key),
    title: toPlainLine(title, limits.channelTitleCharacters),
    level: toText(level),
    url: toWebUrl(url),
    environment: environment === undefined ? undefined : toText(environment),
    release: release === undefined ? undefined : toText(release),
  }
}

function toIssue({ transition, issue, at, lateByMs }: IssueItem) {
  return {
    transition,
    at: toIso(at),
    lateBySeconds: lateByMs === undefined ? undefined : Math.round(lateByMs / 1_000),
    shortId: toText(issue.shortId),
    title: toPlainLine(issue.title, limits.channelTitleCharacters),
    culprit: toText(issue.culprit),
    level: toText(issue.level),
    url: toWebUrl(issue.url),
    firstSeen: toIso(issue.firstSeenAt),
    lastSeen: toIso(issue.lastSeenAt),
    eventCount: issue.eventCount,
    userCount: issue.userCount,
    environment: issue.environment === undefined ? undefined : toText(issue.environment),
    release: issue.release === undefined ? undefined : toText(issue.release),
    assignee: issue.assignee === undefined ? undefined : toText(issue.assignee),
  }
}

function toText(text: string): string {
  return toPlainLine(text, limits.channelTextCharacters)
}

function toIso(at: number): string {
  return new Date(at).toISOString()
}
