import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/**
 * A link to this page shown another way: `search` is all that its address says then, `part` the part of the
 * page it is about. The page stays where it is scrolled to; without JavaScript the browser goes to the part.
 */
export function ViewLink({
  search,
  part,
  isCurrent,
  children,
}: {
  search: object
  part: string
  isCurrent: boolean
  children: ReactNode
}) {
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
