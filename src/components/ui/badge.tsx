import type { ReactNode } from 'react'

/** The meaning of a badge; its text must express it too. */
export type BadgeTone = 'neutral' | 'accent' | 'danger' | 'warning' | 'success'

/** A short word next to a title: a state, a kind, an identifier. */
export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  )
}
