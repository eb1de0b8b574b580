import { hashKey, type QueryKey } from '@tanstack/react-query'
import { isNotFound, isRedirect } from '@tanstack/react-router'
import { pageDataServer } from '#navigation/page-data-server.ts'
import { isHidden, whenShownAgain } from '#navigation/page-visibility.ts'
import { noteSpeculation } from '#navigation/prefetch/speculation.ts'
import { refreshData, type PageStore } from '#queries/changes/changed-data.ts'
import { eventQuery } from '#queries/events.ts'
import type { EventPageView, EventView } from '#server/console/events/views.ts'
import { fetchIssueEvents, fetchIssueTags } from '#server/console/issues/issue-events.functions.ts'
import type { IssueEventsSearch } from '#server/console/issues/issue-events.search.ts'
import { fetchIssueProgress } from '#server/console/issues/issue-progress.functions.ts'
import type {
  IssueRemoval,
  IssueProgressView,
  IssueTagsView,
  IssueView,
} from '#server/console/issues/views.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { appConfig } from '../../../app.config.ts'
import { issuePages } from './changes.ts'
import { issueEventsQuery, issueTagsQuery } from './events.ts'
import { issueQuery } from './list.ts'
import { withholdNewEvents, type ShownIssueEvents } from './new-events.ts'

/** The data of a page about an issue. */
interface IssuePageData {
  now: number
  issue: IssueSummary
}

/** The page data, and the screen that shows the removal of its issue. */
export interface LiveScreen extends PageStore {
  /** Undefined: the issue exists, for example again after a merge was undone. */
  showRemoval: (removal: IssueRemoval | undefined) => void
}

/** A page about an issue, and how it shows what has changed. */
interface LivePage<View extends IssuePageData> {
  queryKey: QueryKey
  /** The event whose position is shown. */
  eventIdOf?: (view: View) => string
  /** The data to show; undefined if the page and all others about the issue must be reloaded. */
  update: (
    view: View,
    progress: IssueProgressView,
    signal: AbortSignal,
  ) => View | undefined | Promise<View | undefined>
}

/**
 * Keeps an open issue page up to date: its counts, its trend and the position of its event. When a user or
 * Culvert has changed the issue, the page is reloaded in place. The event that the reader is reading stays.
 * Returns the stop function, like the functions below.
 */
export function followIssue(screen: LiveScreen, issueId: string): () => void {
  return followPage<IssueView>(screen, {
    queryKey: issueQuery(issueId).queryKey,
    eventIdOf: (view) => view.event.eventId,
    update: (view, progress) =>
      view.triage.activityVersion === progress.activityVersion && isSameState(view.issue, progress.issue)
        ? { ...withCounts(view, progress), trend: progress.trend }
        : undefined,
  })
}

/** Keeps the issue and the position on an open event page up to date. */
export function followEvent(screen: LiveScreen, eventId: string): () => void {
  return followPage<EventPageView>(screen, {
    queryKey: eventQuery(eventId).queryKey,
    eventIdOf: (view) => view.event.eventId,
    update: (view, progress) =>
      isSameState(view.issue, progress.issue) ? withCounts(view, progress) : undefined,
  })
}

/** Withholds the new events of an issue on the open list of its events. */
export function followEvents(screen: LiveScreen, issueId: string, search: IssueEventsSearch): () => void {
  return followPage<ShownIssueEvents>(screen, {
    queryKey: issueEventsQuery(issueId, search).queryKey,
    async update(view, { now, issue }, signal) {
      const { pending } = view
      const { eventCount } = (pending?.latest ?? view).issue
      // Events before or after a page that begins elsewhere do not change it.
      if (search.cursor !== undefined || pending?.isMore === true || eventCount === issue.eventCount)
        return { ...view, now, issue }
      return withholdNewEvents(view, await fetchIssueEvents({ data: { issueId, ...search }, signal }))
    },
  })
}

/** Keeps the counts on an open page of tags up to date. */
export function followTags(
  screen: LiveScreen,
  issueId: string,
  search: { key?: string | undefined },
): () => void {
  return followPage<IssueTagsView>(screen, {
    queryKey: issueTagsQuery(issueId, search).queryKey,
    update: (view, { now, issue }, signal) =>
      view.issue.eventCount === issue.eventCount
        ? { ...view, now, issue }
        : fetchIssueTags({ data: { issueId, ...search }, signal }),
  })
}

/** True if neither a user nor Culvert has changed the issue. */
function isSameState(shown: IssueSummary, { status, statusChangedAt, assignee, isRegressed }: IssueSummary) {
  return (
    shown.status === status &&
    shown.statusChangedAt === statusChangedAt &&
    shown.assignee?.userId === assignee?.userId &&
    shown.isRegressed === isRegressed
  )
}

function withCounts<View extends EventView>(view: View, { now, issue, position }: IssueProgressView): View {
  const { eventCount, keptEventCount, userCount, lastSeenAt, lastRelease } = issue
  const counts = { eventCount, keptEventCount, userCount, lastSeenAt, lastRelease }
  return { ...view, now, issue: { ...view.issue, ...counts }, position: position ?? view.position }
}

/**
 * The live stream does not report events of existing issues, nor changes by users, so the page reads them at
 * an interval while it is visible.
 */
function followPage<View extends IssuePageData>(
  screen: LiveScreen,
  { queryKey, eventIdOf, update }: LivePage<View>,
): () => void {
  const { queryClient, showRemoval } = screen
  const ended = new AbortController()
  /** The removed issue, while the page shows it. */
  let removedIssueId: string | undefined
  const { signal } = ended
  // For the server, the requests come after those for which a user waits.
  noteSpeculation(signal, () => false)

  function showRemovalOf(issueId: string, removal: IssueRemoval | undefined): void {
    if (signal.aborted) return
    removedIssueId = removal && issueId
    showRemoval(removal)
  }

  async function read(): Promise<void> {
    const before = queryClient.getQueryState<View>(queryKey)
    if (before?.data === undefined || before.fetchStatus !== 'idle') return
    // Invalid data is being reloaded, unless that has failed.
    if (before.isInvalidated && before.status !== 'error') return
    const issueId = before.data.issue.id
    const progress = await readProgress({ issueId, eventId: eventIdOf?.(before.data) }, signal)
    if ('kind' in progress) return showRemovalOf(issueId, progress)
    const data = await update(before.data, progress, signal)
    showRemovalOf(issueId, undefined)
    const state = queryClient.getQueryState<View>(queryKey)
    // Data that was read or changed meanwhile is newer.
    if (state === undefined || state.data !== before.data || state.fetchStatus !== 'idle') return
    if (data === undefined) await refreshData(screen, issuePages([issueId]))
    // The rest of the page becomes outdated when it would have.
    else queryClient.setQueryData(queryKey, data, { updatedAt: state.dataUpdatedAt })
  }

  /** Reloads nothing: the reload that did not find the page would be repeated immediately. */
  async function readRemoval(): Promise<void> {
    const view = queryClient.getQueryData<View>(queryKey)
    if (view === undefined) return
    const issueId = view.issue.id
    const progress = await readProgress({ issueId, eventId: eventIdOf?.(view) }, signal)
    if ('kind' in progress) showRemovalOf(issueId, progress)
  }

  const readUnlessHidden = () => {
    // After a failure the page stays as it is until the next read.
    if (canRead()) void read().catch(() => {})
  }

  const timer = setInterval(readUnlessHidden, appConfig.liveIssueMs)
  const stopFollowing = whenShownAgain((wasHiddenMs) => {
    if (wasHiddenMs >= appConfig.liveIssueMs) readUnlessHidden()
  })
  const queryHash = hashKey(queryKey)
  const stopWatching = queryClient.getQueryCache().subscribe(({ type, query, ...event }) => {
    if (type !== 'updated' || query.queryHash !== queryHash || !('action' in event)) return
    const { action } = event
    // A reload after a change finds out first that the issue does not exist.
    if (action.type === 'error' && (isNotFound(action.error) || isRedirect(action.error)) && canRead())
      void readRemoval().catch(() => {})
    // The page of an event shows the issue that its own was merged into.
    const shownId = queryClient.getQueryData<View>(queryKey)?.issue.id
    if (removedIssueId !== undefined && shownId !== removedIssueId) showRemovalOf(removedIssueId, undefined)
  })
  return () => {
    clearInterval(timer)
    stopFollowing()
    stopWatching()
    ended.abort()
  }
}

function canRead(): boolean {
  return !isHidden() && pageDataServer.pauseMs() === 0
}

/** What has changed, or the removal of the issue. Rejects if the server does not answer. */
async function readProgress(
  shown: { issueId: string; eventId: string | undefined },
  signal: AbortSignal,
): Promise<IssueProgressView | IssueRemoval> {
  try {
    return await fetchIssueProgress({ data: shown, signal })
  } catch (error) {
    if (isNotFound(error)) return { kind: 'missing' }
    throw error
  }
}
