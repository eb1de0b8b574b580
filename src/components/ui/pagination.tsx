import type { LinkProps } from '@tanstack/react-router'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'

interface PaginationProps {
  label: string
  previous: LinkProps | undefined
  next: LinkProps | undefined
}

/** Links to the pages before and after; without one, an end. `label` names the list (`Pages of issues`). */
export function Pagination({ label, previous, next }: PaginationProps) {
  if (previous === undefined && next === undefined) return null
  return (
    <nav className="pagination" aria-label={label}>
      {previous === undefined ? (
        <span className="button" aria-disabled="true">
          <Icon name="arrow-left" /> Previous
        </span>
      ) : (
        <Link {...previous} className="button" rel="prev" data-shortcut="previous">
          <Icon name="arrow-left" /> Previous
        </Link>
      )}
      {next === undefined ? (
        <span className="button" aria-disabled="true">
          Next <Icon name="arrow-right" />
        </span>
      ) : (
        <Link {...next} className="button" rel="next" data-shortcut="next">
          Next <Icon name="arrow-right" />
        </Link>
      )}
    </nav>
  )
}
