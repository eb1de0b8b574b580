import { exactCount } from '#numbers/number-text.ts'
import type { EventPosition } from '#server/store/events/records.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'

/**
 * Returns the position of an event among the stored events of its issue:
 * `118 of 500 stored, 12,403 in total`. Without a number far from both ends, where counting is too slow.
 */
export function eventPositionText(
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
  const rest = keptEventCount < eventCount ? ` stored, ${exactCount(eventCount)} in total` : ''
  return number === undefined || number < 1 || number > keptEventCount
    ? `One of ${total}${rest}`
    : `${exactCount(number)} of ${total}${rest}`
}
