import { useNavigate } from '@tanstack/react-router'
import { EnvironmentSelect } from '#components/project/environment-select.tsx'
import { FilterForm } from '#components/ui/form/filter-form.tsx'
import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { Link } from '#components/ui/link.tsx'
import type { HealthPeriod } from '#server/store/releases/records.ts'
import { defaultHealthPeriod, healthPeriodNames, shownPeriods } from './health-texts.ts'

/** The release that is shown. */
interface Shown {
  version: string
  projectSlug: string
  period: HealthPeriod
  environment?: string
}

/** Which sessions of a release are shown: links for the period, a GET form for the environment. */
export function HealthFilters({ shown, environments }: { shown: Shown; environments: readonly string[] }) {
  const navigate = useNavigate()
  const { version, period, environment } = shown

  function apply(valueOf: (name: string) => string) {
    const change = { ...shown, environment: valueOf('environment') }
    void navigate({
      to: '/releases/$version',
      params: { version },
      search: toSearch(change),
      hash: 'health',
      resetScroll: false,
    })
  }

  return (
    <div className="filter-bar">
      <LinkTabs label="Period">
        {shownPeriods.map((candidate) => (
          <Link
            key={candidate}
            to="/releases/$version"
            params={{ version }}
            search={toSearch({ ...shown, period: candidate })}
            hash="health"
            resetScroll={false}
            activeOptions={{ exact: true }}
            aria-current={candidate === period ? 'page' : undefined}
          >
            {healthPeriodNames[candidate]}
          </Link>
        ))}
      </LinkTabs>
      {environments.length < 2 && environment === undefined ? null : (
        <FilterForm
          action={`/releases/${encodeURIComponent(version)}#health`}
          values={{ environment }}
          label="Environment of the sessions"
          onApply={apply}
        >
          <input type="hidden" name="project" value={shown.projectSlug} />
          {period === defaultHealthPeriod ? null : <input type="hidden" name="period" value={period} />}
          <EnvironmentSelect environments={environments} chosen={environment} />
        </FilterForm>
      )}
    </div>
  )
}

/** As short as it can be: defaults and empty values leave the URL. */
function toSearch({ projectSlug, period, environment }: Shown) {
  return {
    project: projectSlug,
    ...(period !== defaultHealthPeriod && { period }),
    ...(environment !== undefined && environment !== '' && { environment }),
  }
}
