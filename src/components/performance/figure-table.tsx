import { Count } from '#components/ui/count.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { VersionText } from '#components/ui/version-text.tsx'
import type { ListedFigures, PerformanceView } from '#server/console/performance/views.ts'
import { ChangeNote } from './change-note.tsx'
import { SpanGroupLink, TransactionLink } from './figure-links.tsx'
import { columnDuration, rateText, shareText } from './figure-text.ts'
import { NoValue } from './no-value.tsx'
import { NumberCell } from './number-cell.tsx'
import { comparisonNames } from './performance-search.ts'

const columns = [
  { name: 'Time spent', className: 'number-cell' },
  { name: 'Count', className: 'number-cell' },
  { name: 'Per minute', className: 'number-cell' },
  { name: 'p50', className: 'number-cell' },
  { name: 'p75', className: 'number-cell' },
  { name: 'p95', className: 'number-cell' },
]

/** The name of the first column. */
const rowNames: Record<PerformanceView['view'], string> = {
  transactions: 'Transaction',
  queries: 'Query',
  requests: 'Request',
  caches: 'Operation',
  queues: 'Queue',
  resources: 'Resource',
  vitals: 'Route',
}

const releaseColumn = { name: 'p95, last release', className: 'number-cell' }
const failedColumn = { name: 'Failed', className: 'number-cell' }

/** Transactions or groups of spans, sorted by total time by default. Cards on narrow screens. */
export function FigureTable({ view, caption }: { view: PerformanceView; caption: string }) {
  const isLinked = view.view === 'transactions'
  return (
    <table className="data-table figure-table">
      <caption className="visually-hidden">{caption}</caption>
      <TableHead
        columns={[
          { name: rowNames[view.view], className: 'name-cell' },
          ...columns,
          ...(isLinked ? [releaseColumn] : []),
          failedColumn,
        ]}
      />
      <tbody>
        {view.figures.map((figures) => (
          <FigureTableRow key={`${figures.project.id} ${figures.id}`} figures={figures} view={view} />
        ))}
      </tbody>
    </table>
  )
}

function FigureTableRow({ figures, view }: { figures: ListedFigures; view: PerformanceView }) {
  const { project, op, p95Before, release } = figures
  const than = comparisonNames[view.period]
  const isLinked = view.view === 'transactions'
  const link = { project: project.slug, id: figures.id, name: figures.name, period: view.period }
  return (
    <tr>
      <th scope="row" className="name-cell">
        {isLinked ? <TransactionLink {...link} /> : <SpanGroupLink {...link} />}
        <span className="figure-meta">
          {isLinked ? (
            <>
              <bdi>{op}</bdi> ·{' '}
            </>
          ) : null}
          {project.name}
        </span>
      </th>
      <NumberCell name="of the time">{shareText(figures.timeShare)}</NumberCell>
      <NumberCell name="in total">
        <Count value={figures.count} />
      </NumberCell>
      <NumberCell name="per minute">{rateText(figures.perMinute)}</NumberCell>
      <NumberCell name="p50">{columnDuration(figures.p50)}</NumberCell>
      <NumberCell name="p75">{columnDuration(figures.p75)}</NumberCell>
      <NumberCell name="p95">
        {columnDuration(figures.p95)}
        <ChangeNote value={figures.p95} before={p95Before} than={than} />
      </NumberCell>
      {isLinked ? (
        <NumberCell name="in the last release">
          {release === undefined ? (
            <NoValue why="No earlier release" />
          ) : (
            <>
              {columnDuration(release.p95)}
              <ChangeNote value={release.p95} before={release.before} than="the previous release" />
              <span className="figure-meta">
                <VersionText version={release.version} />
              </span>
            </>
          )}
        </NumberCell>
      ) : null}
      <NumberCell name="failed">{shareText(figures.failureShare)}</NumberCell>
    </tr>
  )
}
