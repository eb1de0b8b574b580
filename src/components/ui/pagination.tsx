import { Link } from '@tanstack/react-router'
import type { LinkProps } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight } from 'lucide-react'

/**
 * Links to the pages before and after; a missing one shows as an end. `label` names the list
 * (`Pages of issues`).
 */
export function Pagination({
  label,
  previous,
  next,
}: {
  label: string
  previous: LinkProps | undefined
  next: LinkProps | undefined
}) {
  if (previous === undefined && next === undefined) return null
  return (
    <nav className="pagination" aria-label={label}>
      {previous === undefined ? (
        <span className="button" aria-disabled="true">
          <ArrowLeft aria-hidden="true" size={14} /> Previous
        </span>
      ) : (
        <Link {...previous} className="button" rel="prev" data-shortcut="previous">
          <ArrowLeft aria-hidden="true" size={14} /> Previous
        </Link>
      )}
      {next === undefined ? (
        <span className="button" aria-disabled="true">
          Next <ArrowRight aria-hidden="true" size={14} />
        </span>
      ) : (
        <Link {...next} className="button" rel="next" data-shortcut="next">
          Next <ArrowRight aria-hidden="true" size={14} />
        </Link>
      )}
    </nav>
  )
}
