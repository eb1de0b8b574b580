import type { Event, ExceptionValue, Message } from '#protocol/event.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import type { EventViewSearch } from './event-view-search.ts'

/** The exceptions of an event in the order of the page: the thrown one first, or the root cause first. */
export function orderExceptions(
  { exceptions }: Pick<Event, 'exceptions'>,
  { order }: Pick<EventViewSearch, 'order'>,
): readonly ExceptionValue[] {
  return order === 'root-first' ? exceptions : exceptions.toReversed()
}

/**
 * The first exception of the page if its type and value are the heading of the page already, which has the
 * first line of the value, truncated if it is long. The heading does not mark scrubbed values.
 */
export function findHeading(
  event: Pick<Event, 'exceptions' | 'redactions'>,
  {
    issue,
    shown,
  }: { issue: Pick<IssueSummary, 'title' | 'subtitle'>; shown: Pick<EventViewSearch, 'order'> },
): ExceptionValue | undefined {
  const [first] = orderExceptions(event, shown)
  if (first === undefined || first.type !== issue.title) return undefined
  if (event.redactions.some(({ field }) => field.startsWith('exception'))) return undefined
  const { value = '' } = first
  const start = issue.subtitle.replace(/…$/, '')
  const isShown = start === '' ? value === '' : value.trimStart().startsWith(start)
  return isShown ? first : undefined
}

/** True if the message is only the value of the thrown exception: some SDKs send both. */
export function isValueOf({ formatted, params }: Message, exceptions: readonly ExceptionValue[]): boolean {
  return params === undefined && exceptions.at(-1)?.value?.trim() === formatted.trim()
}
