import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { ViewLink } from '#components/ui/view-link.tsx'
import type { Breadcrumb, Level } from '#protocol/event.ts'
import { countKinds, filterBreadcrumbs, listLevels } from './breadcrumb-kinds.ts'
import { BreadcrumbTable } from './breadcrumb-table.tsx'

interface Shown {
  crumbs?: string | undefined
  crumbLevel?: Level | undefined
  allCrumbs?: 'yes' | undefined
}

interface BreadcrumbPanelProps {
  breadcrumbs: readonly Breadcrumb[]
  occurredAt: number
  /** The page's search parameters; this panel changes only those of breadcrumbs. */
  shown: Shown
}

/** Maximum number of kinds offered as filters; an SDK has about six, but applications can define more. */
const offeredKinds = 8

/** Number of breadcrumbs shown initially: the ones directly before the event. */
const shownAtFirst = 8

/** Maximum number of shown breadcrumbs. */
const shownAtMost = 100

/** Breadcrumbs before the event, newest first, all or filtered by kind and level. */
export function BreadcrumbPanel({ breadcrumbs, occurredAt, shown }: BreadcrumbPanelProps) {
  const found = filterBreadcrumbs(breadcrumbs, shown).toReversed()
  const listed = found.slice(0, shown.allCrumbs === 'yes' ? shownAtMost : shownAtFirst)
  return (
    <>
      <BreadcrumbFilters breadcrumbs={breadcrumbs} shown={shown} />
      {found.length === 0 ? (
        <p className="quiet">No matching breadcrumbs.</p>
      ) : (
        <BreadcrumbTable breadcrumbs={listed} occurredAt={occurredAt} />
      )}
      <RestLink shown={shown} listedCount={listed.length} foundCount={found.length} />
    </>
  )
}

interface RestLinkProps {
  shown: Shown
  listedCount: number
  foundCount: number
}

/** Links to all breadcrumbs, and back to the last ones. */
function RestLink({ shown, listedCount, foundCount }: RestLinkProps) {
  if (foundCount <= shownAtFirst) return null
  const isAll = shown.allCrumbs === 'yes'
  return (
    <p className="breadcrumb-rest">
      <ViewLink
        search={{ ...shown, allCrumbs: isAll ? undefined : 'yes' }}
        part="breadcrumbs"
        isCurrent={false}
      >
        {isAll ? `Show the last ${shownAtFirst}` : `Show all ${Math.min(foundCount, shownAtMost)}`}
      </ViewLink>
      {isAll && listedCount < foundCount ? (
        <span className="quiet">
          {listedCount} of {foundCount}. The event’s JSON has all of them.
        </span>
      ) : null}
    </p>
  )
}

function BreadcrumbFilters({ breadcrumbs, shown }: Omit<BreadcrumbPanelProps, 'occurredAt'>) {
  const kinds = countKinds(breadcrumbs)
  const levels = listLevels(breadcrumbs)
  if (kinds.length < 2 && levels.length < 2 && shown.crumbs === undefined && shown.crumbLevel === undefined) {
    return null
  }
  return (
    <div className="breadcrumb-filters">
      <LinkTabs label="Breadcrumb types">
        <ViewLink
          search={{ ...shown, crumbs: undefined }}
          part="breadcrumbs"
          isCurrent={shown.crumbs === undefined}
        >
          All {breadcrumbs.length}
        </ViewLink>
        {kinds.slice(0, offeredKinds).map(([kind, count]) => (
          <ViewLink
            key={kind}
            search={{ ...shown, crumbs: kind }}
            part="breadcrumbs"
            isCurrent={shown.crumbs === kind}
          >
            <bdi>{kind}</bdi> {count}
          </ViewLink>
        ))}
      </LinkTabs>
      {levels.length < 2 && shown.crumbLevel === undefined ? null : (
        <LinkTabs label="Breadcrumb level">
          <ViewLink
            search={{ ...shown, crumbLevel: undefined }}
            part="breadcrumbs"
            isCurrent={shown.crumbLevel === undefined}
          >
            Any level
          </ViewLink>
          {levels.map((level) => (
            <ViewLink
              key={level}
              search={{ ...shown, crumbLevel: level }}
              part="breadcrumbs"
              isCurrent={shown.crumbLevel === level}
            >
              {level}
            </ViewLink>
          ))}
        </LinkTabs>
      )}
    </div>
  )
}
