import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: string
  description?: ReactNode
  children?: ReactNode
}

/** A screen's heading, one sentence under it, and its actions next to it. */
export function PageHeader({ title, description, children }: PageHeaderProps) {
  return (
    <header className="page-header">
      <div>
        <h1>{title}</h1>
        {description === undefined ? null : <p>{description}</p>}
      </div>
      {children === undefined ? null : <div className="page-header-side">{children}</div>}
    </header>
  )
}
