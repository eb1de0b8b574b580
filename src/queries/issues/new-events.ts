import type { IssueEventsView } from '#server/console/issues/views.ts'

/** The events of an issue as shown: events that arrived since are withheld until the user shows them. */
export interface ShownIssueEvents extends IssueEventsView {
  pending?: NewEvents
}

/** The new events that the list does not show yet. */
export interface NewEvents {
  count: number
  /** There are more than one page. */
  isMore: boolean
  /** The list with the new events. */
  latest: IssueEventsView
}

/** Adds a reloaded first page to the shown one: its rows stay, and new events are withheld. */
export function withholdNewEvents(shown: ShownIssueEvents, latest: IssueEventsView): ShownIssueEvents {
  const last = shown.nextCursor === undefined ? undefined : shown.events.at(-1)
  const shownIds = new Set(shown.events.map(({ eventId }) => eventId))
  const added = latest.events.filter(
    // Older events move up from the next page when shown ones are deleted.
    ({ eventId, occurredAt }) => !shownIds.has(eventId) && occurredAt >= (last?.occurredAt ?? 0),
  )
  const { now, issue, tags } = latest
  // An empty list has no layout that could shift.
  if (shown.events.length === 0) return latest
  if (added.length === 0) return { ...shown, now, issue, tags, pending: undefined }
  const isMore = added.length === latest.events.length && latest.nextCursor !== undefined
  return { ...shown, now, issue, tags, pending: { count: added.length, isMore, latest } }
}
