import type { Event, ExceptionValue } from '#protocol/event.ts'
import type { IssueSummary } from '#server/store/issue-views.ts'

/**
 * True for an exception whose type and value are the heading of the page already, which has the first line of the value, cut where it
 * is long. The heading does not mark what was scrubbed.
 */
export function isHeading(
  { type, value = '' }: ExceptionValue,
  { event, issue }: { event: Pick<Event, 'redactions'>; issue: Pick<IssueSummary, 'title' | 'subtitle'> },
): boolean {
  const isScrubbed = event.redactions.some(({ field }) => field.startsWith('exception'))
  const start = issue.subtitle.replace(/…$/, '')
  const isShown = start === '' ? value === '' : value.trimStart().startsWith(start)
  return !isScrubbed && type === issue.title && isShown
}
