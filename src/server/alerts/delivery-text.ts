import { builtInRules } from '#alerts/built-in-rules.ts'
import type { AlertItem, AlertMessage, AlertMessageKind } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { toIssueKey, type DeliveryContent } from '#server/store/alerts/delivery-content.ts'
import type { DeliveryMessage, DeliveryTransition } from '#server/store/alerts/delivery-message.ts'

/** Where the links of a message lead. */
export interface MessageLinks {
  /** Scheme, host and port of the console. */
  origin: string
  /** The settings of a person. Absent: the rules of the project. */
  mute?: string
  /** Ends mails to this receiver. */
  unsubscribe?: string
}

const kinds: Record<DeliveryMessage['kind'], AlertMessageKind> = {
  issues: 'transitions',
  storm: 'storm',
  digest: 'digest',
  quiet: 'digest',
  test: 'test',
}

/** The message of a delivery, as the issues are now; undefined if none of them is left. Pure. */
export function toAlertMessage(
  { kind, transitions, moreCount }: DeliveryMessage,
  { organization, issues, rules }: DeliveryContent,
  { links, now }: { links: MessageLinks; now: number },
): AlertMessage | undefined {
  const found = transitions.flatMap((transition) => {
    const issue = issues.get(toIssueKey(transition))
    return issue === undefined ? [] : [{ transition, issue }]
  })
  const [first] = found
  if (first === undefined) return undefined
  const { origin, mute, unsubscribe } = links
  const projects = new Map(found.map(({ issue }) => [issue.summary.project.slug, issue.summary.project]))
  const { slug, name } = first.issue.summary.project
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
      return ruleName === undefined ? [] : [{ name: ruleName, url: rulesUrl }]
    }),
    items: found.map(({ transition, issue }) => toItem(transition, issue, { origin, now })),
    moreCount,
    urls: {
      mute: mute ?? rulesUrl,
      rule: rulesUrl,
      list: isOneProject ? `${origin}/issues?project=${encodeURIComponent(slug)}` : `${origin}/issues`,
      ...(unsubscribe !== undefined && { unsubscribe }),
    },
    ...(isOneIssue && { threadKey: `issue-${first.issue.summary.id}` }),
  }
}

function toItem(
  { transition, at }: DeliveryTransition,
  { summary, environments }: NonNullable<ReturnType<DeliveryContent['issues']['get']>>,
  { origin, now }: { origin: string; now: number },
): AlertItem {
  const { title, subtitle, assignee, lastRelease } = summary
  const [environment, ...more] = environments
  const lateByMs = now - at
  return {
    transition,
    at,
    issue: {
      shortId: summary.shortId,
      title: subtitle === '' ? title : `${title}: ${subtitle}`,
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
