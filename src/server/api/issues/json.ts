import { toFeedbackMetadata } from '#server/api/feedback-metadata.ts'
import { limits } from '#server/limits.ts'
import { barsOf } from '#server/store/issues/bars.ts'
import type { BarSpan, IssueSummary, TagDistribution } from '#server/store/issues/records.ts'
import type { IssueAnswer } from './answer.ts'
import { toConditionJson } from './condition-json.ts'
import type { ShownExtras } from './extras.ts'

const iso = (at: number) => new Date(at).toISOString()

/** Sentry calls an archived issue ignored. */
const statuses = { unresolved: 'unresolved', resolved: 'resolved', archived: 'ignored' } as const

/** Sentry's rule for an issue without a manual or model-based priority. The search uses the same. */
const priorities = { fatal: 'high', error: 'high', warning: 'medium', info: 'low', debug: 'low' } as const

/** Event types whose names differ in Sentry's API. */
const apiTypes = new Map<string, string>([
  ['transaction', 'default'],
  ['feedback', 'default'],
  ['monitor', 'generic'],
  ['uptime', 'generic'],
  ['performance', 'transaction'],
])
const issueTypes = new Map<string, IssueAnswer['issueType']>([
  ['feedback', 'feedback'],
  ['monitor', 'monitor_check_in_failure'],
  ['uptime', 'uptime_domain_failure'],
])
/** Issue types of performance issues, by title. */
const performanceTypes = new Map<string, IssueAnswer['issueType']>([
  ['N+1 Query', 'performance_n_plus_one_db_queries'],
  ['Slow DB Query', 'performance_slow_db_query'],
  ['N+1 API Call', 'performance_n_plus_one_api_calls'],
])
const issueCategories = new Map<string, IssueAnswer['issueCategory']>([
  ['feedback', 'feedback'],
  ['monitor', 'cron'],
  ['uptime', 'uptime'],
  ['performance', 'performance'],
])

/** An issue and the data for its response. */
export interface ShownIssue {
  origin: string
  now: number
  /** Absent if the issue was deleted in the meantime. */
  extras: ShownExtras | undefined
  /** Event counts over a period, oldest first, if they were queried. */
  stats?: { span: BarSpan; counts: readonly number[] }
}

/** Converts an issue to the issue of Sentry's API. */
export function toIssueJson(issue: IssueSummary, { origin, now, extras, stats }: ShownIssue): IssueAnswer {
  const { id, slug, name, platform } = issue.project
  return {
    id: issue.id,
    shortId: issue.shortId,
    title: issue.subtitle === '' ? issue.title : `${issue.title}: ${issue.subtitle}`,
    culprit: issue.culprit,
    permalink: `${origin}/issues/${issue.id}`,
    logger: extras?.logger ?? null,
    level: issue.level,
    priority: priorities[issue.level],
    status: statuses[issue.status],
    substatus: substatusOf(issue, now),
    statusDetails: toConditionJson(issue),
    isPublic: false,
    isBookmarked: false,
    isSubscribed: false,
    shareId: null,
    subscriptionDetails: null,
    hasSeen: true,
    isUnhandled: extras?.isUnhandled ?? false,
    platform: issue.platform,
    project: { id: String(id), name, slug, platform: platform ?? '' },
    type: apiTypes.get(issue.type) ?? issue.type,
    issueType: issueTypeOf(issue),
    issueCategory: issueCategories.get(issue.type) ?? 'error',
    metadata: metadataOf(issue, extras),
    numComments: extras?.commentCount ?? 0,
    assignedTo: toAssigneeJson(issue, extras),
    annotations: [],
    count: String(issue.eventCount),
    userCount: issue.userCount,
    firstSeen: iso(issue.firstSeenAt),
    lastSeen: iso(issue.lastSeenAt),
    ...(issue.firstRelease !== undefined && { firstRelease: toReleaseName(issue.firstRelease) }),
    ...(issue.lastRelease !== undefined && { lastRelease: toReleaseName(issue.lastRelease) }),
    ...(stats && { stats: { [stats.span]: toStats(stats, now) } }),
  }
}

/** The type of an issue in Sentry's API. */
export function issueTypeOf({ type, title }: Pick<IssueSummary, 'type' | 'title'>): IssueAnswer['issueType'] {
  if (type === 'performance') return performanceTypes.get(title) ?? 'performance_slow_db_query'
  return issueTypes.get(type) ?? 'error'
}

function toReleaseName(version: string) {
  return { version, shortVersion: version }
}

function toAssigneeJson({ assignee }: IssueSummary, extras: ShownExtras | undefined) {
  if (assignee === undefined) return null
  return {
    type: 'user' as const,
    id: assignee.userId,
    name: assignee.name ?? '',
    email: extras?.assigneeEmail ?? null,
  }
}

function metadataOf({ type, title, subtitle }: IssueSummary, extras: ShownExtras | undefined) {
  if (type === 'error') return { type: title, value: subtitle, title }
  return extras?.feedback === undefined ? { title } : { title, ...toFeedbackMetadata(extras.feedback) }
}

function substatusOf(
  { status, isRegressed, reopenCondition, firstSeenAt }: IssueSummary,
  now: number,
): IssueAnswer['substatus'] {
  if (status === 'resolved') return null
  if (status === 'unresolved') {
    if (isRegressed === true) return 'regressed'
    return now - firstSeenAt < limits.newIssueMs ? 'new' : 'ongoing'
  }
  if (reopenCondition?.kind !== 'archive') return 'archived_forever'
  return reopenCondition.hourLimit === undefined
    ? 'archived_until_condition_met'
    : 'archived_until_escalating'
}

/** `[second, count]`, oldest first. */
function toStats({ span, counts }: NonNullable<ShownIssue['stats']>, now: number): [number, number][] {
  const { from, stepMs } = barsOf(span, now)
  return counts.map((count, index) => [(from + index * stepMs) / 1000, count])
}

/** Converts a tag of an issue with its most frequent values. */
export function toTagJson({ key, eventCount, valueCount, values }: TagDistribution) {
  return {
    key,
    name: key,
    totalValues: eventCount,
    uniqueValues: valueCount,
    topValues: values.map(({ value, eventCount: count, lastSeenAt }) => ({
      key,
      name: value,
      value,
      count,
      lastSeen: iso(lastSeenAt),
    })),
  }
}
