import { exactCount } from '#components/ui/number-text.ts'
import type { EventPosition } from '#server/store/events/records.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'

/**
 * Which of the issue's kept events it is: `Event 118 of 500 kept, 12,403 in all`. Far from both ends nobody
 * counts.
 */
export function eventPlaceText(
  { earlierCount, laterCount }: EventPosition,
  { eventCount, keptEventCount }: Pick<IssueSummary, 'eventCount' | 'keptEventCount'>,
): string {
  const number =
    earlierCount === undefined
      ? laterCount === undefined
        ? undefined
        : keptEventCount - laterCount
      : earlierCount + 1
  const total = exactCount(keptEventCount)
  const rest = keptEventCount < eventCount ? ` kept, ${exactCount(eventCount)} in all` : ''
  return number === undefined || number < 1 || number > keptEventCount
    ? `One of ${total}${rest}`
    : `${exactCount(number)} of ${total}${rest}`
}
