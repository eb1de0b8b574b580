import { useClock } from './now-provider.tsx'
import { isoInstant, localText, relativeTime, utcText } from './relative-time.ts'

/**
 * An instant: how long ago, with the exact time on hover; or the exact time itself.
 *
 * The exact time is in UTC until the page has hydrated and in the reader's own zone afterwards. Outside of a `NowProvider`
 * it is always exact. `near` is what it says of an instant less than a minute away: `just now`, unless told.
 */
export function Time({ at, isExact = false, near }: { at: number; isExact?: boolean; near?: string }) {
  const clock = useClock()
  const exact = clock?.isLive === true ? localText(at) : utcText(at)
  const isRelative = clock !== undefined && !isExact
  return (
    <time dateTime={isoInstant(at)} title={exact}>
      {isRelative ? relativeTime(at, clock.now, near) : exact}
    </time>
  )
}
