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
  const label = stepLabel(series, series.counts.lastIndexOf(largest), zone)
  return `${countedNoun(total, 'event')} in this period, at most ${exactCount(largest)} in one bar: ${label}.`
}

/**
 * Releases by the step of their first event, from the left. Earlier releases are omitted; those of one step
 * are grouped.
 */
export function releasePositions(
  { since, stepMs, counts }: TrendSeries,
  releases: readonly ReleaseMark[],
): { index: number; versions: string[] }[] {
  const versionsByIndex = new Map<number, string[]>()
  for (const { version, at } of releases) {
    const index = Math.floor((at - since) / stepMs)
    if (index < 0 || index >= counts.length) continue
    const versions = versionsByIndex.get(index)
    if (versions === undefined) versionsByIndex.set(index, [version])
    else versions.push(version)
  }
  return [...versionsByIndex].map(([index, versions]) => ({ index, versions }))
}
