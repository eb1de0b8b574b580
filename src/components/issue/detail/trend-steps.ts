import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { ReleaseMark, TrendSeries } from '#server/store/issues/records.ts'
import { formatField } from '#time/time-field.ts'
import { formatSpan } from '#time/time-span.ts'
import type { TimeZone } from '#time/time-zone.ts'

/** The start of a step as in the URL of the event list: minutes, in UTC. */
export function stepSearch(series: TrendSeries, index: number): { since: string; until: string } {
  const { from, to } = stepSpan(series, index)
  return { since: formatField(from, 'UTC'), until: formatField(to, 'UTC') }
}

/** The step in words: `2026-11-21 12:00 – 18:00 UTC`, or the day. */
export function stepLabel(series: TrendSeries, index: number, zone: TimeZone): string {
  return formatSpan(stepSpan(series, index), zone)
}

function stepSpan({ since, stepMs }: TrendSeries, index: number): { from: number; to: number } {
  return { from: since + index * stepMs, to: since + (index + 1) * stepMs }
}

/** The text of a bar. */
export function trendSummary(series: TrendSeries, zone: TimeZone): string {
  const total = series.counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return 'No events in this period.'
  const largest = Math.max(...series.counts)
  const place = stepLabel(series, series.counts.lastIndexOf(largest), zone)
  return `${countedNoun(total, 'event')} in this period, at most ${exactCount(largest)} in one bar: ${place}.`
}

/**
 * Releases by the step of their first event, from the left. Earlier releases are omitted; those of one step
 * are grouped.
 */
export function releasePositions(
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
