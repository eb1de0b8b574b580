import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Link } from '#components/ui/link.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { ReleaseListSearch } from '#server/console/releases/releases.search.ts'
import type { ReleaseListView } from '#server/console/releases/views.ts'
import { ReleaseFilters } from './release-filters.tsx'
import { changeReleaseSearch } from './release-search.ts'
import { ReleaseTable } from './release-table.tsx'
import '#styles/reports.css'

/** The `/releases` screen: filters, the releases, their pages, and both empty states. */
export function ReleaseList({ view, search }: { view: ReleaseListView; search: ReleaseListSearch }) {
  const toPage = (cursor: string | undefined) =>
    cursor === undefined
      ? undefined
      : ({ to: '/releases', search: changeReleaseSearch(search, { cursor }) } as const)
  return (
    <NowProvider now={view.now}>
      <PageHeader title="Releases" />
      <ReleaseFilters search={search} projects={view.projects} environments={view.environments} />
      {view.releases.length === 0 ? (
        <NoReleases search={search} />
      ) : (
        <ReleaseTable releases={view.releases} isWhole={search.q === undefined} />
      )}
      <Pagination
        label="Pages of releases"
        previous={toPage(view.previousCursor)}
        next={toPage(view.nextCursor)}
      />
    </NowProvider>
  )
}

function NoReleases({ search }: { search: ReleaseListSearch }) {
  const isFiltered = [search.project, search.environment, search.q, search.cursor].some(
    (value) => value !== undefined,
  )
  if (isFiltered) {
    return (
      <EmptyState title="No releases match">
        <p>Change the filters, or clear them.</p>
        <Link to="/releases" search={{}} className="button">
          Clear filters
        </Link>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No releases yet">
      <p>
        Releases appear once your SDK sends <code>release</code>: set it in <code>Sentry.init</code>, for
        example to <code>shop@1.4.0</code> or a commit hash. <code>sentry-cli releases new</code> creates one
        before the first event.
      </p>
    </EmptyState>
  )
}
