import type { ReactNode } from 'react'

/** Replaces an empty list: the reason, and the next step. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="empty-state" aria-labelledby="empty-state-title">
      <svg viewBox="0 0 96 32" width="96" height="32" fill="none" aria-hidden="true">
        <path d="M4 8c10-6 18-6 28 0s18 6 28 0 18-6 32 0M4 18c10-6 18-6 28 0s18 6 28 0 18-6 32 0M4 28c10-6 18-6 28 0s18 6 28 0 18-6 32 0" />
      </svg>
      <h2 id="empty-state-title">{title}</h2>
      {children}
    </section>
  )
}
