import { PageHeader } from '#components/layout/page-header.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { OutcomeSearch } from '#server/console/outcomes/outcomes.search.ts'
import type { OutcomeView } from '#server/console/outcomes/views.ts'
import { DeadLetterNote } from './dead-letter-note.tsx'
import { FilterSamples, NamedSamples } from './filter-samples.tsx'
import { OutcomeChart } from './outcome-chart.tsx'
import { NoOutcomes } from './outcome-empty.tsx'
import { OutcomeFilters } from './outcome-filters.tsx'
import { OutcomeTable } from './outcome-table.tsx'
import '#styles/reports.css'

/** The `/outcomes` screen: all received items by outcome and reason. */
export function OutcomeReport({ view, search }: { view: OutcomeView; search: OutcomeSearch }) {
  return (
    <NowProvider now={view.now}>
      <PageHeader title="Ingestion" description="What was received, dropped or rejected, and why." />
      <DeadLetterNote count={view.deadLetterCount} />
      {view.namedSamples && search.sample !== undefined && (
        <NamedSamples id={search.sample} samples={view.namedSamples} />
      )}
      <OutcomeFilters search={search} projects={view.projects} period={view.period} />
      {view.totals.length === 0 ? (
        <NoOutcomes search={search} period={view.period} />
      ) : (
        <>
          <OutcomeChart view={view} />
          <Panel id="reasons" title="Breakdown">
            <OutcomeTable totals={view.totals} />
          </Panel>
          <FilterSamples outcome="invalid" samples={view.rejections} totals={view.totals} />
          <FilterSamples outcome="filtered" samples={view.samples} totals={view.totals} />
        </>
      )}
    </NowProvider>
  )
}
