import type { ReactNode } from 'react'
import { Time } from './time/time.tsx'

/** An item that could not be accepted but was stored, and its actions. */
interface Letter {
  id: string
  /** What it is: the type of an item. */
  kind: string
  projectName: string
  /** Why it could not be accepted. The text may be external. */
  reason: string
  /** Who said so. */
  by?: string
  /** Unix milliseconds. */
  receivedAt: number
  size: string
  actions: ReactNode
}

/** A table of what was kept for a person to decide. `what` and `why` head its first two columns. */
export function LetterTable({ what, why, letters }: { what: string; why: string; letters: Letter[] }) {
  return (
    <table className="dead-letters">
      <thead>
        <tr>
          {[what, why, 'Came', 'Size'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
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
