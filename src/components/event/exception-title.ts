import type { Event, ExceptionValue } from '#protocol/event.ts'
import type { IssueSummary } from '#server/store/issue-views.ts'

/**
 * True for an exception whose type and whole value are the heading of the page already. The heading does not mark what was
 * scrubbed.
 */
export function isHeading(
  { type, value = '' }: ExceptionValue,
  { event, issue }: { event: Pick<Event, 'redactions'>; issue: Pick<IssueSummary, 'title' | 'subtitle'> },
): boolean {
  const isScrubbed = event.redactions.some(({ field }) => field.startsWith('exception'))
  return !isScrubbed && type === issue.title && value === issue.subtitle
}
