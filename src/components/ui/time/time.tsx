import { formatInstant } from '#time/time-zone.ts'
import { useClock } from './now-provider.tsx'
import { isoInstant, relativeTime } from './relative-time.ts'
import { useTimeZone } from './time-zone.tsx'

/**
 * An instant: how long ago, with the exact time on hover; or the other way round, in the reader's time zone.
 * Outside of a `NowProvider` it is always exact. `near` is the text for an instant less than a minute away;
 * default `just now`.
 */
export function Time({ at, isExact = false, near }: { at: number; isExact?: boolean; near?: string }) {
  const clock = useClock()
  const exact = formatInstant(at, useTimeZone())
  const relative = clock && relativeTime(at, clock.now, near)
  const [text = exact, title = exact] = isExact ? [exact, relative] : [relative]
  return (
    <time dateTime={isoInstant(at)} title={title}>
      {text}
    </time>
  )
}
