import type { ReactNode } from 'react'

/** A cell with a figure. On narrow screens, which hide the column headers, `name` is shown next to it. */
export function NumberCell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <td className="number-cell" data-name={name}>
      {children}
    </td>
  )
}
