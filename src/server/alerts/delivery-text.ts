import { builtInRules } from '#alerts/built-in-rules.ts'
import { toNoticeKey, toNoticePath } from '#alerts/notice.ts'
import type { AlertNotice } from '#alerts/notice.ts'
import type { AlertMessage, AlertMessageKind, IssueItem, ProjectItem } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import {
  toIssueKey,
  type DeliveredIssue,
  type DeliveryContent,
} from '#server/store/alerts/deliveries/content.ts'
import type { DeliveryMessage, DeliveryTransition } from '#server/store/alerts/deliveries/message.ts'

/** The targets of the links in a message. */
export interface MessageLinks {
  /** Scheme, host and port of the console. */
  origin: string
  /** The notification settings of a user. Absent: the rules of the project. */
  mute?: string
  /** The decisions whose messages a digest collects. */
  held?: string
  /** Unsubscribes this receiver from mails. */
  unsubscribe?: string
}

const kinds: Record<DeliveryMessage['kind'], AlertMessageKind> = {
  issues: 'transitions',
  storm: 'storm',
  digest: 'digest',
  quiet: 'digest',
  test: 'test',
}

/**
 * The message of a delivery, with the issues in their current state; undefined if none of them exists. Pure.
 */
export function toAlertMessage(
  { kind, transitions, moreCount }: DeliveryMessage,
  { organization, issues, projects: names, rules }: DeliveryContent,
  { links, now }: { links: MessageLinks; now: number },
): AlertMessage | undefined {
  const found = transitions.flatMap((transition): FoundTransition[] => {
    const { notice, projectId } = transition
    if (notice !== undefined) {
      const project = names.get(projectId)
      return project === undefined ? [] : [{ transition, notice, project }]
    }
    const issue = issues.get(toIssueKey(transition))
    return issue === undefined ? [] : [{ transition, issue, project: issue.summary.project }]
  })
  const [first] = found
  if (first === undefined) return undefined
  const { origin, mute, held, unsubscribe } = links
  const projects = new Map(found.map(({ project }) => [project.slug, project]))
  const { slug, name } = first.project
  const isOneProject = projects.size === 1
  const rulesUrl = `${origin}/projects/${slug}/alerts`
  const ruleIds = [...new Set(transitions.flatMap((each) => each.ruleIds))]
  const isOneIssue = found.length === 1 && moreCount === 0
  return {
    kind: kinds[kind],
    organization,
    project: isOneProject ? { slug, name } : { slug, name: `${projects.size} projects` },
    rules: ruleIds.flatMap((id) => {
      const ruleName = rules.get(id) ?? builtInRules.get(id)?.name
      return ruleName === undefined ? [] : [{ name: ruleName, url: toRuleUrl(rulesUrl, id) }]
    }),
    items: found.map((each) =>
      each.issue === undefined ? toProjectItem(each, { origin, now }) : toItem(each, { origin, now }),
    ),
    moreCount,
    urls: {
      mute: mute ?? toMuteUrl(rulesUrl, ruleIds[0]),
      rule: ruleIds[0] === undefined ? rulesUrl : toRuleUrl(rulesUrl, ruleIds[0]),
      list: isOneProject ? `${origin}/issues?project=${encodeURIComponent(slug)}` : `${origin}/issues`,
      held,
      unsubscribe,
    },
    ...(isOneIssue && first.issue !== undefined && { threadKey: `issue-${first.issue.summary.id}` }),
  }
}

/** The fragment is the id of an element on the page of the rules, which does not list built-in rules. */
function toRuleUrl(rulesUrl: string, ruleId: string): string {
  return builtInRules.has(ruleId) ? rulesUrl : `${rulesUrl}#rule-${ruleId}`
}

/** The page opens the form for the parameter, and browsers scroll to the field. */
function toMuteUrl(rulesUrl: string, ruleId: string | undefined): string {
  const muted = ruleId === undefined || builtInRules.has(ruleId) ? 'project' : ruleId
  return `${rulesUrl}?mute=${muted}#mute-why-${muted}`
}

/** A transition and its issue or notice. */
type FoundTransition = FoundIssue | FoundNotice

interface FoundIssue {
  transition: DeliveryTransition
  issue: DeliveredIssue
  notice?: undefined
  project: { slug: string; name: string }
}

interface FoundNotice {
  transition: DeliveryTransition
  notice: AlertNotice
  issue?: undefined
  project: { slug: string; name: string }
}

interface TextFrame {
  origin: string
  now: number
}

function toProjectItem(
  { transition: { transition, at }, notice, project }: FoundNotice,
  { origin, now }: TextFrame,
): ProjectItem {
  const { title, level, environments, release } = notice
  const [environment, ...more] = environments
  const lateByMs = now - at
  return {
    transition,
    at,
    change: {
      key: toNoticeKey(notice),
      title,
      level,
      url: `${origin}${toNoticePath(notice, project.slug)}`,
      ...(environment !== undefined && more.length === 0 && { environment }),
      release,
    },
    ...(lateByMs > limits.alertLateMs && { lateByMs }),
  }
}

function toItem(
  { transition: { transition, at }, issue: { summary, environments } }: FoundIssue,
  { origin, now }: TextFrame,
): IssueItem {
  const { title, subtitle, assignee, lastRelease } = summary
  const [environment, ...more] = environments
  const lateByMs = now - at
  return {
    transition,
    at,
    issue: {
      shortId: summary.shortId,
      title: subtitle === '' ? title : `${title}: ${subtitle}`,
      type: summary.type === 'error' ? { name: title, value: subtitle } : { name: title },
      culprit: summary.culprit,
      level: summary.level,
      url: `${origin}/issues/${summary.id}`,
      firstSeenAt: summary.firstSeenAt,
      lastSeenAt: summary.lastSeenAt,
      eventCount: summary.eventCount,
      userCount: summary.userCount,
      ...(environment !== undefined && more.length === 0 && { environment }),
      ...(lastRelease !== undefined && { release: lastRelease }),
      ...(assignee?.name !== undefined && { assignee: assignee.name }),
    },
    ...(lateByMs > limits.alertLateMs && { lateByMs }),
  }
}
