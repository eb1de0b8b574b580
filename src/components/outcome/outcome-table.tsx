import { Count } from '#components/ui/count.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { percentText } from '#numbers/number-text.ts'
import type { OutcomeTotal, ShownOutcome } from '#server/store/outcomes/records.ts'
import { findReasonSentence, outcomeNames, outcomeSentences } from './outcome-texts.ts'

/** Outcome, reason and category, each with its count and its share of all received items. */
export function OutcomeTable({ totals }: { totals: readonly OutcomeTotal[] }) {
  const whole = sumOf(totals)
  return (
    <table className="data-table outcome-table">
      <caption className="visually-hidden">Outcomes by reason and category</caption>
      <TableHead
        columns={[
          'Outcome and reason',
          'Category',
          { name: 'Count', className: 'outcome-number' },
          { name: 'Share', className: 'outcome-number' },
        ]}
      />
      {[...Map.groupBy(totals, ({ outcome }) => outcome)].map(([outcome, ofOutcome]) => (
        <OutcomeGroup key={outcome} outcome={outcome} totals={ofOutcome} whole={whole} />
      ))}
    </table>
  )
}

interface OutcomeGroupProps {
  outcome: ShownOutcome
  totals: readonly OutcomeTotal[]
  whole: number
}

function OutcomeGroup({ outcome, totals, whole }: OutcomeGroupProps) {
  const sum = sumOf(totals)
  return (
    <tbody>
      <tr className="outcome-group">
        <th scope="rowgroup" colSpan={2}>
          <span className="series-mark" data-outcome={outcome}>
            {outcomeNames[outcome]}
          </span>
          <p>{outcomeSentences[outcome]}</p>
        </th>
        <td className="outcome-number">
          <Count value={sum} />
        </td>
        <td className="outcome-number">{percentText(sum, whole)}</td>
      </tr>
      {[...Map.groupBy(totals, ({ reason }) => reason).values()].flatMap((ofReason) =>
        ofReason.map((total, index) => (
          <OutcomeRow
            key={`${total.reason} ${total.category}`}
            total={total}
            whole={whole}
            isExplained={index === 0}
          />
        )),
      )}
    </tbody>
  )
}

interface OutcomeRowProps {
  total: OutcomeTotal
  whole: number
  isExplained: boolean
}

function OutcomeRow({ total, whole, isExplained }: OutcomeRowProps) {
  const { outcome, reason, category, quantity } = total
  const sentence = isExplained ? findReasonSentence(outcome, reason) : undefined
  return (
    <tr>
      <th scope="row">
        {reason === '' ? 'stored' : <code>{reason}</code>}
        {sentence === undefined ? null : <p>{sentence}</p>}
      </th>
      <td>
        <code>{category}</code>
      </td>
      <td className="outcome-number">
        <Count value={quantity} />
      </td>
      <td className="outcome-number">{percentText(quantity, whole)}</td>
    </tr>
  )
}

function sumOf(totals: readonly OutcomeTotal[]): number {
  return totals.reduce((sum, { quantity }) => sum + quantity, 0)
}
