import { DefinitionList, type Definition } from '#components/ui/definition-list.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { countedNoun, exactCount, percentText } from '#numbers/number-text.ts'
import type { ReleaseView } from '#server/console/releases/views.ts'
import type { PreviousRelease, HealthHistory } from '#server/store/releases/records.ts'
import { CrashFree } from './crash-free.tsx'
import { HealthChart } from './health-chart.tsx'
import { HealthFilters } from './health-filters.tsx'
import { HealthTable } from './health-table.tsx'
import { rateFloor, shownStates, stateNames, stateSentences, sumStates, toStepRates } from './health-texts.ts'
import { RateBars } from './rate-bars.tsx'

/** The health of a release: its sessions and users, those that crashed, and its adoption. */
export function ReleaseHealth({ view: { release, health, previous } }: { view: ReleaseView }) {
  if (health.environments.length === 0) return <NoSessions />
  const { period, environment, environments } = health
  const shown = { version: release.version, projectSlug: release.project.slug, period }
  return (
    <Panel id="health" title="Health">
      <DefinitionList layout="facts" items={healthFacts(health, previous)} />
      <HealthFilters
        shown={{ ...shown, ...(environment !== undefined && { environment }) }}
        environments={environments}
      />
      <HealthChart health={health} />
      <HealthRates health={health} />
      <Disclosure summary="View as table">
        <HealthTable health={health} />
      </Disclosure>
      <StateTable health={health} />
    </Panel>
  )
}

function NoSessions() {
  return (
    <Panel id="health" title="Health">
      <p className="quiet">
        No sessions for this release. SDKs for browsers and apps send them automatically when{' '}
        <code>release</code> is set; in Node keep the <code>processSessionIntegration</code> and the sessions
        of <code>httpIntegration</code>, which are enabled by default.
      </p>
    </Panel>
  )
}

function healthFacts(
  { total, sessionCount24h, projectSessionCount24h }: HealthHistory,
  previous: PreviousRelease | undefined,
): Definition[] {
  const { counts, userCount, crashedUserCount } = total
  const sessionCount = sumStates(counts)
  const crashes = { sessionCount, crashedCount: counts.crashed, userCount, crashedUserCount }
  const before = previous?.crashes && { version: previous.version, crashes: previous.crashes }
  return [
    {
      term: 'Crash-free sessions',
      description: <CrashFree kind="sessions" crashes={crashes} previous={before} isNamed />,
    },
    {
      term: 'Crash-free users',
      description:
        userCount === 0 ? (
          '— (no users reported)'
        ) : (
          <CrashFree kind="users" crashes={crashes} previous={before} isNamed />
        ),
    },
    {
      term: 'Adoption, 24 hours',
      description:
        projectSessionCount24h === 0
          ? '— (no sessions)'
          : `${percentText(sessionCount24h, projectSessionCount24h)} of ${countedNoun(projectSessionCount24h, 'session')}`,
    },
    { term: 'Sessions', description: exactCount(sessionCount) },
    { term: 'Users', description: userCount === 0 ? '—' : exactCount(userCount) },
  ]
}

function HealthRates({ health: { steps, since, stepMs } }: { health: HealthHistory }) {
  const rates = steps.map(toStepRates)
  const charts = [
    { title: 'Crash-free sessions', of: rates.map(({ crashFreeSessions }) => crashFreeSessions) },
    { title: 'Crash-free users', of: rates.map(({ crashFreeUsers }) => crashFreeUsers) },
  ].filter(({ of }) => of.some((rate) => rate !== undefined))
  return (
    <div className="rate-charts">
      {charts.map(({ title, of }) => (
        <RateBars key={title} title={title} rates={of} floor={rateFloor(of)} since={since} stepMs={stepMs} />
      ))}
      <RateBars
        title="Adoption"
        rates={rates.map(({ adoption }) => adoption)}
        floor={0}
        since={since}
        stepMs={stepMs}
      />
    </div>
  )
}

function StateTable({ health: { total } }: { health: HealthHistory }) {
  const sessionCount = sumStates(total.counts)
  return (
    <table className="release-figures health-states">
      <caption className="quiet">All time</caption>
      <TableHead columns={['State', 'Sessions', 'Share', 'Meaning']} />
      <tbody>
        {shownStates.map((state) => (
          <tr key={state}>
            <th scope="row" className="series-mark" data-state={state}>
              {stateNames[state]}
            </th>
            <td>{exactCount(total.counts[state])}</td>
            <td>{percentText(total.counts[state], sessionCount)}</td>
            <td>{stateSentences[state]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
