import type { ReactNode } from 'react'
import { TableHead } from './table-head.tsx'
import { Time } from './time/time.tsx'

/** An item that could not be accepted but was stored, and its actions. */
interface Letter {
  id: string
  /** The type of the item. */
  kind: string
  projectName: string
  /** Why it could not be accepted. The text may be external. */
  reason: string
  /** The source of the error. */
  by?: string
  /** Unix milliseconds. */
  receivedAt: number
  size: string
  actions: ReactNode
}

/** A table of stored items that wait for a decision. `what` and `why` name its first two columns. */
export function LetterTable({ what, why, letters }: { what: string; why: string; letters: Letter[] }) {
  return (
    <table className="data-table dead-letters">
      <TableHead columns={[what, why, 'Received', 'Size', { name: 'Actions', isNameHidden: true }]} />
      <tbody>
        {letters.map((letter) => (
          <LetterRow key={letter.id} letter={letter} />
        ))}
      </tbody>
    </table>
  )
}

function LetterRow({ letter }: { letter: Letter }) {
  const { kind, projectName, reason, by, receivedAt, size, actions } = letter
  return (
    <tr>
      <th scope="row">
        <code>{kind}</code> <span className="quiet">{projectName}</span>
      </th>
      <td>
        <bdi>{reason}</bdi>
        {by === undefined ? null : <span className="quiet"> {by}</span>}
      </td>
      <td>
        <Time at={receivedAt} />
      </td>
      <td>{size}</td>
      <td>
        <div className="dead-letter-actions">{actions}</div>
      </td>
    </tr>
  )
}

/** Asks first: no undo restores an item. `details`, so that it works before any script has run. */
export function LetterDeletion({
  verb,
  change,
  warning,
}: {
  verb: string
  /** The value of the field `change`. */
  change: string
  warning: string
}) {
  return (
    <details className="letter-deletion">
      <summary className="button">{verb}…</summary>
      <p className="quiet">{warning}</p>
      <button type="submit" className="button" data-tone="danger" name="change" value={change}>
        {verb}
      </button>
    </details>
  )
}
