import type { IssueSummary } from '#server/store/issue-views.ts'

const iso = (at: number) => new Date(at).toISOString()

/** Sentry calls an archived issue ignored. */
const statuses = { unresolved: 'unresolved', resolved: 'resolved', archived: 'ignored' } as const

/** An issue as Sentry's API has it. `hours24` are its events of the last 24 hours, where they were read. */
export function toIssueJson(
  issue: IssueSummary,
  { origin, hours24, now }: { origin: string; hours24?: readonly number[]; now: number },
) {
  const { id, slug, name, platform } = issue.project
  return {
    id: issue.id,
    shortId: issue.shortId,
    title: issue.subtitle === '' ? issue.title : `${issue.title}: ${issue.subtitle}`,
    culprit: issue.culprit,
    permalink: `${origin}/issues/${issue.id}`,
    logger: null,
    level: issue.level,
    status: statuses[issue.status],
    substatus: substatusOf(issue),
    statusDetails: {},
    isPublic: false,
    isBookmarked: false,
    isSubscribed: false,
    hasSeen: true,
    isUnhandled: false,
    platform: issue.platform,
    project: { id: String(id), name, slug, platform: platform ?? '' },
    type: issue.type === 'transaction' || issue.type === 'feedback' ? 'default' : issue.type,
    issueType: issue.type === 'feedback' ? 'feedback' : 'error',
    issueCategory: issue.type === 'feedback' ? 'feedback' : 'error',
    metadata: metadataOf(issue),
    numComments: 0,
    assignedTo: issue.assignee
      ? { type: 'user', id: issue.assignee.userId, name: issue.assignee.name, email: '' }
      : null,
    annotations: [],
    count: String(issue.eventCount),
    userCount: issue.userCount,
    firstSeen: iso(issue.firstSeenAt),
    lastSeen: iso(issue.lastSeenAt),
    ...(issue.firstRelease !== undefined && { firstRelease: { version: issue.firstRelease } }),
    ...(issue.lastRelease !== undefined && { lastRelease: { version: issue.lastRelease } }),
    ...(hours24 && { stats: { '24h': toStats(hours24, now) } }),
  }
}

function metadataOf({ type, title, subtitle }: IssueSummary) {
  return type === 'error' ? { type: title, value: subtitle, title } : { title }
}

function substatusOf({ status, isRegressed, terms }: IssueSummary): string | null {
  if (status === 'resolved') return null
  if (status === 'unresolved') return isRegressed === true ? 'regressed' : 'ongoing'
  return terms === undefined ? 'archived_forever' : 'archived_until_condition_met'
}

const hourMs = 3_600_000

/** `[second, count]`, oldest first. */
function toStats(hours: readonly number[], now: number): [number, number][] {
  const running = now - (now % hourMs)
  return hours.map((count, index) => [(running - (hours.length - 1 - index) * hourMs) / 1000, count])
}
