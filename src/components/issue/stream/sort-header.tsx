import { Icon } from '#components/ui/icon.tsx'
import { Link } from '#components/ui/link.tsx'
import type { IssueSearch } from '#server/console/issues/views.ts'
import type { IssueSort } from '#server/store/issues/records.ts'
import { changeIssueSearch, defaultIssueSort } from './search.ts'

interface SortHeaderProps {
  sort: IssueSort
  search: IssueSearch
  className: string
  /** The sort order, if it is not the header's text. */
  title?: string
  children: string
}

/** A column's header that sorts by it, largest or newest first; the active one is marked. */
export function SortHeader({ sort, search, className, title, children }: SortHeaderProps) {
  const isSorted = (search.sort ?? defaultIssueSort) === sort
  return (
    <th scope="col" className={className} aria-sort={isSorted ? 'descending' : undefined}>
      <Link
        to="/issues"
        search={changeIssueSearch(search, { sort })}
        activeOptions={{ exact: true }}
        title={title}
      >
        {children}
        {isSorted ? <Icon name="arrow-down" size={12} /> : null}
      </Link>
    </th>
  )
}
