import { Link } from '@tanstack/react-router'
import { PageHeader } from '#components/layout/page-header.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { MonitorSearch } from '#server/console/monitors/monitors.search.ts'
import type { EnvironmentView, MonitorView } from '#server/console/monitors/views.ts'
import { CheckInTable } from './check-in-table.tsx'
import { MonitorActions } from './monitor-actions.tsx'
import { MonitorBadges } from './monitor-badges.tsx'
import { setUpTexts } from './set-up-texts.ts'
import { MonitorTimeline } from './timeline.tsx'
import '#styles/reports.css'
import '#styles/settings.css'

const periods = [
  { period: '24h', name: '24 hours' },
  { period: '7d', name: '7 days' },
  { period: '30d', name: '30 days' },
  { period: '90d', name: '90 days' },
] as const

/** The screen of one monitor: its timelines, check-ins, set-up and settings. */
export function MonitorPage({ view, search }: { view: MonitorView; search: MonitorSearch }) {
  const { monitor, settings, configProblem } = view
  const { period = '24h' } = search
  const names = { project: monitor.project.slug, slug: monitor.slug }
  const facts = [
    { term: 'Project', description: monitor.project.name },
    { term: 'Schedule', description: monitor.schedule },
    { term: 'Margin', description: `${settings.marginMinutes} min` },
    { term: 'Maximum runtime', description: `${settings.maxRuntimeMinutes} min` },
  ]
  return (
    <NowProvider now={view.now}>
      <PageHeader title={monitor.name} description={<Link to="/monitors">All monitors</Link>}>
        <MonitorBadges monitor={monitor} environment={undefined} />
      </PageHeader>
      <DefinitionList items={facts} layout="facts" />
      {configProblem === undefined ? null : (
        <p className="form-problem">
          The settings in the latest check-in are not valid, so these stay: {configProblem}
        </p>
      )}
      <Panel id="timeline" title="Timeline">
        <LinkTabs label="Period">
          {periods.map(({ period: each, name }) => (
            <Link
              key={each}
              to="/monitors/$project/$slug"
              params={names}
              search={{ ...search, period: each === '24h' ? undefined : each }}
              activeOptions={{ exact: true }}
              aria-current={each === period ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
        </LinkTabs>
        {monitor.environments.length === 0 ? (
          <p className="quiet">No check-in has arrived yet. Nothing is expected before the first one.</p>
        ) : (
          monitor.environments.map((each) => (
            <EnvironmentTimeline
              key={each.name}
              view={view}
              environment={each}
              period={periods.find((one) => one.period === period)?.name ?? period}
              search={search}
            />
          ))
        )}
      </Panel>
      {view.environment === undefined ? null : (
        <Panel id="check-ins" title="Check-ins" note={<bdi className="monitor-line">{view.environment}</bdi>}>
          <CheckInTable checkIns={view.checkIns} />
        </Panel>
      )}
      <Panel id="set-up" title="Set up">
        {setUpTexts({ ...view, slug: monitor.slug, name: monitor.name }).map(({ label, code }, index) => (
          <Disclosure key={label} summary={label} isOpen={index === 0 && view.environment === undefined}>
            <CodeBlock code={code} label={label} />
          </Disclosure>
        ))}
      </Panel>
      {view.mayConfigure ? <MonitorActions view={view} /> : null}
    </NowProvider>
  )
}

function EnvironmentTimeline({
  view: { monitor },
  environment,
  period,
  search,
}: {
  view: MonitorView
  environment: EnvironmentView
  period: string
  search: MonitorSearch
}) {
  const { name, nextAt, issueId, steps } = environment
  return (
    <div className="monitor-environment">
      <p className="monitor-line">
        <Link
          to="/monitors/$project/$slug"
          params={{ project: monitor.project.slug, slug: monitor.slug }}
          search={{ ...search, environment: name }}
          activeOptions={{ exact: true }}
        >
          <bdi>{name}</bdi>
        </Link>
        <MonitorBadges monitor={{ ...monitor, isMuted: false }} environment={environment} />
        {nextAt === undefined ? null : (
          <span>
            Next expected <Time at={nextAt} />
          </span>
        )}
        {issueId === undefined ? null : (
          <Link to="/issues/$issueId" params={{ issueId }}>
            Issue
          </Link>
        )}
      </p>
      <MonitorTimeline steps={steps} period={`the last ${period} in ${name}`} />
    </div>
  )
}
