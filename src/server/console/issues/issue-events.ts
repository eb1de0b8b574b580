import type { Event } from '#protocol/event.ts'
import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { readStoredEvent } from '#server/console/events/events.ts'
import { dropSameTexts, productName, type EventWithTexts } from '#server/console/events/texts.ts'
import { limits } from '#server/limits.ts'
import { eventTitle } from '#server/normalize/title.ts'
import type { Services } from '#server/services.ts'
import { listIssueEvents, type ListedEvent } from '#server/store/issues/event-list.ts'
import { parseIssueId } from '#server/store/issues/id.ts'
import { findIssue } from '#server/store/issues/issues.ts'
import type { EventTag } from '#server/store/issues/tag-hash.ts'
import { findTagDistribution, listTagDistributions } from '#server/store/issues/tags.ts'
import { parseField } from '#time/time-field.ts'
import type { IssueEventsSearch } from './issue-events.search.ts'
import { findMovedIssue, type MovedIssue } from './moved-issue.ts'
import type { IssueEventsView, IssueTagsView } from './views.ts'

/** A page of an issue's events, or the issue to redirect to; undefined if there is none. */
export async function listIssueEventsView(
  services: Services,
  viewer: Viewer,
  { issueId, ...search }: IssueEventsSearch & { issueId: string },
): Promise<IssueEventsView | MovedIssue | undefined> {
  const { db } = services.store
  const found = await findReachableIssue(services, viewer, issueId)
  if (found === undefined || 'movedTo' in found) return found
  const { issue, key, now } = found
  const since = parseField(search.since ?? '', search.zone ?? 'UTC')
  const until = parseField(search.until ?? '', search.zone ?? 'UTC')
  const [page, tags] = await Promise.all([
    listIssueEvents(db, {
      ...key,
      tags: searchedTags(search),
      limit: limits.issueEventsPerPage,
      since,
      until,
      cursor: search.cursor,
    }),
    listTagDistributions(db, key),
  ])
  return { now, issue, tags, ...page, events: dropSameTexts(page.events.map(toRow), issue) }
}

/**
 * An issue's tags: all values of one key, or the most frequent value of each key. Otherwise the issue to
 * redirect to; undefined if there is none.
 */
export async function findIssueTagsView(
  services: Services,
  viewer: Viewer,
  search: { issueId: string; key?: string | undefined },
): Promise<IssueTagsView | MovedIssue | undefined> {
  const { db } = services.store
  const named = await findReachableIssue(services, viewer, search.issueId)
  if (named === undefined || 'movedTo' in named) return named
  const { issue, key, now } = named
  if (search.key === undefined) return { now, issue, tags: await listTagDistributions(db, key) }
  const found = await findTagDistribution(db, { ...key, key: search.key })
  return { now, issue, tags: found === undefined ? [] : [found] }
}

/**
 * The issue of a page, or the issue to redirect to; undefined if the viewer has access to neither. One
 * statement, and another one if the page has to redirect.
 */
export async function findReachableIssue(
  { store: { db }, clock }: Services,
  viewer: Viewer,
  issueId: string,
) {
  const now = clock()
  const id = parseIssueId(issueId)
  const projectIds = reachableProjects(viewer)
  const issue = id === undefined ? undefined : await findIssue(db, { issueId: id, projectIds })
  if (id === undefined || issue === undefined) return findMovedIssue(db, { issueId, projectIds })
  return { issue, key: { projectId: issue.project.id, issueId: id }, now }
}

/** The environment and the release of an event are also tags. */
function searchedTags({ environment, release, key, value }: IssueEventsSearch): EventTag[] {
  const tags: EventTag[] = []
  if (environment !== undefined) tags.push(['environment', environment])
  if (release !== undefined) tags.push(['release', release.slice(0, limits.tagValueCharacters)])
  if (key !== undefined && value !== undefined) tags.push([key, value])
  return tags
}

function toRow(listed: ListedEvent): EventWithTexts {
  const event = readStoredEvent(listed)
  const { title, subtitle } = eventTitle(event)
  const user = userName(event)
  const browser = productName(event.contexts['browser'])
  const system = productName(event.contexts['os'] ?? event.contexts['client_os'])
  const url = event.request?.url
  return {
    eventId: listed.eventId,
    occurredAt: listed.occurredAt,
    level: listed.level,
    environment: listed.environment,
    release: listed.release,
    title,
    subtitle,
    url,
    user,
    browser,
    system,
  }
}

function userName({ user }: Event): string | undefined {
  return user?.email ?? user?.username ?? user?.name ?? user?.id ?? user?.ipAddress
}
