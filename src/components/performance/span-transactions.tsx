import { Count } from '#components/ui/count.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { SpanGroupView } from '#server/console/performance/views.ts'
import { otherName } from '#traces/transaction-name.ts'
import { TransactionLink } from './figure-links.tsx'
import { columnDuration, shareText } from './figure-text.ts'
import { NumberCell } from './number-cell.tsx'

/** The transactions with a group of spans, sorted by the time spent in it. */
export function SpanTransactions({ view }: { view: SpanGroupView }) {
  const { transactions, moreTransactions, project, period } = view
  if (transactions.length === 0) return null
  return (
    <Panel id="transactions" title="Transactions">
      <table className="data-table figure-table">
        <caption className="visually-hidden">Transactions by their time in these spans</caption>
        <TableHead
          columns={[
            { name: 'Transaction', className: 'name-cell' },
            ...['Time spent', 'Count', 'Total time', 'Mean'].map((name) => ({
              name,
              className: 'number-cell',
            })),
          ]}
        />
        <tbody>
          {transactions.map(({ id, name, op, count, time, timeShare }) => (
            <tr key={`${id} ${name}`}>
              <th scope="row" className="name-cell">
                {id === undefined ? (
                  <bdi>{name}</bdi>
                ) : (
                  <TransactionLink project={project.slug} id={id} name={name} period={period} />
                )}
                <bdi className="figure-meta">{id === undefined ? unknownText(name) : op}</bdi>
              </th>
              <NumberCell name="of the time">{shareText(timeShare)}</NumberCell>
              <NumberCell name="in total">
                <Count value={count} />
              </NumberCell>
              <NumberCell name="total">{columnDuration(time)}</NumberCell>
              <NumberCell name="mean">{columnDuration(count === 0 ? 0 : time / count)}</NumberCell>
            </tr>
          ))}
        </tbody>
      </table>
      {moreTransactions > 0 ? <p>{`And ${countedNoun(moreTransactions, 'more transaction')}.`}</p> : null}
    </Panel>
  )
}

/** Spans contain only a hash of their transaction, which a name identifies. */
function unknownText(name: string): string {
  return name === otherName
    ? 'Root span not received, or name not counted separately'
    : 'Root span not received: one of several operations'
}
