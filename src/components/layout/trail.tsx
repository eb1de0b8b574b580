import type { ReactNode } from 'react'

/** The lists that a page belongs to, as links, the widest first. */
export function Trail({ children }: { children: ReactNode }) {
  return (
    <nav className="trail" aria-label="Breadcrumb">
      {children}
    </nav>
  )
}
