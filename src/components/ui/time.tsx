import { formatInstant } from '#time/time-zone.ts'
import { useClock } from './now-provider.tsx'
import { isoInstant, relativeTime } from './relative-time.ts'
import { useTimeZone } from './time-zone.tsx'

/**
 * An instant: how long ago, with the exact time on hover; or the exact time itself, in the reader's time zone. Outside of a
 * `NowProvider` it is always exact. `near` is what it says of an instant less than a minute away: `just now`, unless told.
 */
export function Time({ at, isExact = false, near }: { at: number; isExact?: boolean; near?: string }) {
  const clock = useClock()
  const exact = formatInstant(at, useTimeZone())
  const isRelative = clock !== undefined && !isExact
  return (
    <time dateTime={isoInstant(at)} title={exact}>
      {isRelative ? relativeTime(at, clock.now, near) : exact}
    </time>
  )
}
