import { TableHead } from '#components/ui/table-head.tsx'
import { useTimeZone } from '#components/ui/time/time-zone.tsx'
import { stepText } from './step-text.ts'

/** A column of numbers over time. */
export interface StepColumn {
  name: string
  /** The text of a step. */
  textOf: (index: number) => string
}

interface StepTableProps {
  caption: string
  columns: readonly StepColumn[]
  /** The steps in which there was something, in their order. */
  steps: readonly number[]
  /** When the first step began. Unix milliseconds. */
  since: number
  stepMs: number
}

/** The numbers behind charts over time, the newest first. */
export function StepTable({ caption, columns, steps, since, stepMs }: StepTableProps) {
  const zone = useTimeZone()
  return (
    <table className="step-table">
      <caption className="visually-hidden">{caption}</caption>
      <TableHead columns={['From', ...columns.map(({ name }) => name)]} />
      <tbody>
        {steps.toReversed().map((index) => (
          <tr key={index}>
            <th scope="row">{stepText(since + index * stepMs, stepMs, zone)}</th>
            {columns.map(({ name, textOf }) => {
              const text = textOf(index)
              return (
                <td key={name} data-name={name} data-none={text === '0' || undefined}>
                  {text}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
