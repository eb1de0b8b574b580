import type { ReactNode } from 'react'
import { Link } from './link.tsx'

interface ViewLinkProps {
  search: object
  part: string
  isCurrent: boolean
  children: ReactNode
}

/**
 * A link to another view of this page: `search` replaces its parameters, `part` is the part of the page that
 * changes. The scroll position is kept; without JavaScript the browser jumps to the part.
 */
export function ViewLink({ search, part, isCurrent, children }: ViewLinkProps) {
  return (
    <Link
      to="."
      search={{ ...search }}
      hash={part}
      hashScrollIntoView={false}
      resetScroll={false}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {children}
    </Link>
  )
}
