import { useNavigate } from '@tanstack/react-router'
import { EnvironmentSelect } from '#components/project/environment-select.tsx'
import { ChoiceTabs } from '#components/ui/form/choice-tabs.tsx'
import { FilterForm } from '#components/ui/form/filter-form.tsx'
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
  const address = {
    to: '/releases/$version',
    params: { version },
    hash: 'health',
    resetScroll: false,
  } as const

  function apply(valueOf: (name: string) => string) {
    void navigate({ ...address, search: toSearch({ ...shown, environment: valueOf('environment') }) })
  }

  return (
    <div className="filter-bar">
      <ChoiceTabs
        label="Period"
        choices={shownPeriods}
        names={healthPeriodNames}
        current={period}
        linkTo={(each) => ({ ...address, search: toSearch({ ...shown, period: each }) })}
      />
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
