import { lazy, Suspense } from 'react'
import type { FormAction } from '#components/ui/form/action-form.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Link } from '#components/ui/link.tsx'
import { menuBehaviour } from '#components/ui/menu.tsx'
import type { IssueListView, IssueSearch, SavedIssueSearch } from '#server/console/issues/views.ts'

/** Collapsed initially; its code is loaded when it is opened. */
const SavedSearchMenu = lazy(async () => {
  const { SavedSearchMenu: component } = await import('./saved-search-menu.tsx')
  return { default: component }
})

interface SavedSearchesProps {
  view: Pick<IssueListView, 'savedSearches' | 'sharing'>
  search: IssueSearch
  action: FormAction
}

/** The saved searches of a user, as links, with their actions. */
export function SavedSearches({ view, search, action }: SavedSearchesProps) {
  const { savedSearches, sharing } = view
  return (
    <section className="saved-searches" aria-label="Saved searches">
      {savedSearches.length === 0 ? null : (
        <ul>
          {savedSearches.map((saved) => (
            <li key={saved.id}>
              <Link
                to="/issues"
                search={toIssueSearch(saved.search)}
                activeOptions={{ exact: true }}
                aria-current={isSame(saved.search, search) ? 'true' : undefined}
                title={saved.isShared ? 'Shared with the organization' : undefined}
              >
                {saved.name}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <details {...menuBehaviour}>
        <summary>
          <Icon name="bookmark" />
          Saved searches
        </summary>
        <Suspense>
          <SavedSearchMenu {...{ savedSearches, sharing, search, action }} />
        </Suspense>
      </details>
    </section>
  )
}

/** The URL of a saved search, always with a parameter, because one without means the default view. */
function toIssueSearch(saved: SavedIssueSearch): IssueSearch {
  return { ...saved, status: saved.status ?? 'unresolved' }
}

function isSame(saved: SavedIssueSearch, search: IssueSearch): boolean {
  return toText(saved) === toText(search)
}

function toText({ cursor: _cursor, ...search }: IssueSearch): string {
  const values = Object.entries(toIssueSearch(search)).filter(([, value]) => value !== undefined)
  return values
    .map((each) => each.join('='))
    .toSorted()
    .join('&')
}
