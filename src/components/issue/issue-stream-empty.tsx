import { Link } from '@tanstack/react-router'
import { EmptyState } from '#components/layout/empty-state.tsx'
import { isFiltered } from './issue-search.ts'
import type { IssueSearch } from './issue-search.ts'

/** An installation that has never stored an event: how to send the first one. */
export function NoEventsYet() {
  return (
    <EmptyState title="No event has arrived yet">
      <p>
        Point any Sentry SDK at a project’s DSN. The first event is here the moment the SDK gets its answer.
      </p>
      <Link to="/projects" className="button" data-tone="primary">
        Set up an SDK
      </Link>
    </EmptyState>
  )
}

/** A search that matches nothing, or a page past the end of the list. */
export function NoIssuesMatch({ search, tagKeys }: { search: IssueSearch; tagKeys: readonly string[] }) {
  if (!isFiltered(search) && search.cursor === undefined) {
    return (
      <EmptyState title="No unresolved issues">
        <p>Everything that came in has been resolved or archived.</p>
        <Link to="/issues" search={{ status: 'all' }} className="button">
          Show all issues
        </Link>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No issues match">
      <p>
        No issue fulfils every part of the search
        {search.status === 'all' ? null : ' and has this status'}.
      </p>
      {tagKeys.length === 0 ? null : (
        <p>
          <code>{tagKeys.join(', ')}</code> was looked for as a tag. Put a text with a colon in quotes to find
          it as it is.
        </p>
      )}
      <Link to="/issues" search={{ status: 'unresolved' }} className="button">
        Clear the filters
      </Link>
    </EmptyState>
  )
}
