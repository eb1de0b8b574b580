import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { ViewLink } from '#components/ui/view-link.tsx'
import type { Breadcrumb, Level } from '#protocol/event.ts'
import { countKinds, filterBreadcrumbs, listLevels } from './breadcrumb-kinds.ts'
import { BreadcrumbTable } from './breadcrumb-table.tsx'

interface Shown {
  crumbs?: string | undefined
  crumbLevel?: Level | undefined
}

interface BreadcrumbPanelProps {
  breadcrumbs: readonly Breadcrumb[]
  occurredAt: number
  /** What the page's address says; of it only what concerns breadcrumbs is changed. */
  shown: Shown
}

/** Kinds that are offered; an SDK has about six, and anybody can invent more. */
const offeredKinds = 8

/** What happened before the event, as a whole or by kind and level. */
export function BreadcrumbPanel({ breadcrumbs, occurredAt, shown }: BreadcrumbPanelProps) {
  const found = filterBreadcrumbs(breadcrumbs, shown)
  return (
    <>
      <BreadcrumbFilters breadcrumbs={breadcrumbs} shown={shown} />
      {found.length === 0 ? (
        <p className="quiet">No breadcrumb is like that.</p>
      ) : (
        <BreadcrumbTable breadcrumbs={found} occurredAt={occurredAt} />
      )}
    </>
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
      <LinkTabs label="Kinds of breadcrumbs">
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
        <LinkTabs label="Levels of breadcrumbs">
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
