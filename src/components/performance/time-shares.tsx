import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import type { DurationFigures, TimeShare, TransactionView } from '#server/console/performance/views.ts'
import { SpanGroupLink } from './figure-links.tsx'
import { columnDuration, rateText } from './figure-text.ts'
import { NumberCell } from './number-cell.tsx'

/** The time of a transaction by category, and by query, request or other span. */
export function TimeShares({ view, figures }: { view: TransactionView; figures: DurationFigures }) {
  if (view.groups.length === 0) return null
  // Spans are counted per hour, so there are no counts for the last hour.
  const count = view.period === '1h' ? undefined : figures.count
  return (
    <>
      <Panel id="categories" title="Time by category">
        <ShareTable
          caption="Time by category"
          what="Category"
          view={view}
          shares={view.categories}
          transactionCount={count}
        />
      </Panel>
      <Panel id="spans" title="Time by span">
        <ShareTable
          caption="Time by span"
          what="Span"
          view={view}
          shares={view.groups}
          transactionCount={count}
        />
      </Panel>
    </>
  )
}

interface ShareTableProps {
  caption: string
  /** The name of the first column. */
  what: string
  view: TransactionView
  shares: readonly TimeShare[]
  /** Undefined if it belongs to another period. */
  transactionCount: number | undefined
}

function ShareTable({ caption, what, view, shares, transactionCount }: ShareTableProps) {
  const columns = ['Total time', 'Mean', ...(transactionCount === undefined ? [] : ['Per transaction'])].map(
    (name) => ({ name, className: 'number-cell' }),
  )
  return (
    <table className="data-table figure-table">
      <caption className="visually-hidden">{caption}</caption>
      <TableHead columns={[{ name: what, className: 'name-cell' }, ...columns]} />
      <tbody>
        {shares.map(({ category, id, name, count, time }) => (
          <tr key={`${category} ${name}`}>
            <th scope="row" className="name-cell">
              {id === undefined ? (
                <bdi className="span-text">{name}</bdi>
              ) : (
                <SpanGroupLink project={view.project.slug} id={id} name={name} period={view.period} />
              )}
              {name === category ? null : <span className="figure-meta">{category}</span>}
            </th>
            <NumberCell name="in total">{columnDuration(time)}</NumberCell>
            <NumberCell name="mean">{columnDuration(count === 0 ? 0 : time / count)}</NumberCell>
            {transactionCount === undefined ? null : (
              <NumberCell name="per transaction">
                {rateText(transactionCount === 0 ? 0 : count / transactionCount)}
              </NumberCell>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
