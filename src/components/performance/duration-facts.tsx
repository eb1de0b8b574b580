import type { Definition } from '#components/ui/definition-list.tsx'
import { exactCount } from '#numbers/number-text.ts'
import type { DurationFigures, PerformancePeriod } from '#server/console/performance/views.ts'
import { ChangeNote } from './change-note.tsx'
import { figureDuration, rateText, shareText } from './figure-text.ts'
import { comparisonNames } from './performance-search.ts'

/** The facts of durations on the pages of a transaction and of a group of spans, with their changes. */
export function durationFacts({
  figures,
  before,
  p99,
  period,
}: {
  figures: DurationFigures
  before?: DurationFigures | undefined
  /** Milliseconds. */
  p99?: number | undefined
  period: PerformancePeriod
}): Definition[] {
  const percentiles = (['p50', 'p75', 'p95'] as const).map((term) => ({
    term,
    description: (
      <>
        {figureDuration(figures[term])}{' '}
        <ChangeNote value={figures[term]} before={before?.[term]} than={comparisonNames[period]} />
      </>
    ),
  }))
  return [
    { term: 'Count', description: exactCount(figures.count) },
    { term: 'Per minute', description: rateText(figures.perMinute) },
    ...percentiles,
    { term: 'p99', description: p99 === undefined ? '—' : figureDuration(p99) },
    { term: 'Failed', description: shareText(figures.failureShare) },
  ]
}
