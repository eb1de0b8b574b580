import { countedNoun, exactCount } from '#components/ui/number-text.ts'
import { isoInstant, utcText } from '#components/ui/relative-time.ts'
import type { ReleaseMark, TrendSeries } from '#server/store/issue-views.ts'

const hourMs = 3_600_000

/** The time of a step as the address of the list of events has it: minutes, in UTC. */
export function stepSearch({ since, stepMs }: TrendSeries, index: number): { since: string; until: string } {
  return { since: minuteText(since + index * stepMs), until: minuteText(since + (index + 1) * stepMs) }
}

/** An instant to the minute, as a field for date and time has it: `2026-11-21T12:00`. */
function minuteText(at: number): string {
  return isoInstant(at)?.slice(0, 16) ?? ''
}

/** The step in words: `2026-11-21 12:00 – 18:00 UTC`, or the day. */
export function stepLabel({ since, stepMs }: TrendSeries, index: number): string {
  const start = utcText(since + index * stepMs)
  if (stepMs >= 24 * hourMs) return `${start.slice(0, 10)} UTC`
  return `${start.slice(0, 16)} – ${utcText(since + (index + 1) * stepMs).slice(11, 16)} UTC`
}

/** What the bars say, in words. */
export function trendSummary(series: TrendSeries): string {
  const total = series.counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return 'No events in this time.'
  const largest = Math.max(...series.counts)
  const place = stepLabel(series, series.counts.lastIndexOf(largest))
  return `${countedNoun(total, 'event')} in this time, at most ${exactCount(largest)} at once: ${place}.`
}

/** Releases by where they begin, in steps from the left; those of before are left out, those of one step stand together. */
export function releasePlaces(
  { since, stepMs, counts }: TrendSeries,
  releases: readonly ReleaseMark[],
): { place: number; versions: string[] }[] {
  const places = new Map<number, string[]>()
  for (const { version, at } of releases) {
    const place = Math.floor((at - since) / stepMs)
    if (place < 0 || place >= counts.length) continue
    const versions = places.get(place)
    if (versions === undefined) places.set(place, [version])
    else versions.push(version)
  }
  return [...places].map(([place, versions]) => ({ place, versions }))
}
