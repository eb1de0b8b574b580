import { PageHeader } from '#components/layout/page-header.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { DefinitionList, type Definition } from '#components/ui/definition-list.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { ChoiceTabs } from '#components/ui/form/choice-tabs.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { isUptime } from '#monitors/uptime.ts'
import { okShareText } from '#numbers/number-text.ts'
import type { MonitorSearch } from '#server/console/monitors/monitors.search.ts'
import type { EnvironmentView, MonitorSummary, MonitorView } from '#server/console/monitors/views.ts'
import { CheckInTable } from './check-in-table.tsx'
import { DurationChart } from './duration-chart.tsx'
import { MonitorActions } from './monitor-actions.tsx'
import { MonitorBadges } from './monitor-badges.tsx'
import { defaultMonitorPeriod, listedMonitorPeriods, monitorPeriodNames } from './monitor-search.ts'
import { setUpTexts } from './set-up-texts.ts'
import { MonitorTimeline } from './timeline.tsx'
import { UptimeTable } from './uptime-table.tsx'
import '#styles/reports.css'
import '#styles/settings.css'

/** The screen of one monitor: its timelines, check-ins, setup and settings. */
export function MonitorPage({ view, search }: { view: MonitorView; search: MonitorSearch }) {
  const { monitor, settings, configProblem } = view
  const isCheck = isUptime(settings)
  const schedule = isCheck ? undefined : settings.schedule
  const crontab = schedule?.kind === 'crontab' ? schedule.crontab : undefined
  const texts = setUpTexts({ ...view, slug: monitor.slug, name: monitor.name, crontab })
  return (
    <NowProvider now={view.now}>
      <Trail>
        <Link to="/monitors" search={{}} activeOptions={{ exact: true }} data-shortcut="back">
          Monitors
        </Link>
        <Link to="/monitors" search={{ project: monitor.project.slug }} activeOptions={{ exact: true }}>
          {monitor.project.name}
        </Link>
      </Trail>
      <PageHeader title={monitor.name}>
        <MonitorBadges monitor={monitor} environment={undefined} />
      </PageHeader>
      <DefinitionList items={factsOf(view)} layout="facts" />
      {configProblem === undefined ? null : (
        <p className="form-problem">
          The settings in the latest check-in are invalid, so these remain active: {configProblem}
        </p>
      )}
      <Panel id="timeline" title="Timeline">
        <PeriodTabs monitor={monitor} search={search} />
        {monitor.environments.length === 0 ? (
          <p className="quiet">No check-ins yet. Runs are expected after the first check-in.</p>
        ) : (
          monitor.environments.map((each) => (
            <EnvironmentTimeline key={each.name} view={view} environment={each} search={search} />
          ))
        )}
      </Panel>
      {view.environment === undefined ? null : (
        <Panel
          id="check-ins"
          title={isCheck ? 'Checks' : 'Check-ins'}
          note={<bdi className="monitor-line">{view.environment}</bdi>}
        >
          {isCheck ? <UptimeTable checks={view.checkIns} /> : <CheckInTable checkIns={view.checkIns} />}
        </Panel>
      )}
      <Panel id="set-up" title={isCheck ? 'Badge' : 'Set up'}>
        {(isCheck ? texts.slice(-1) : texts).map(({ label, code }, index) => (
          <Disclosure key={label} summary={label} isOpen={index === 0 && view.environment === undefined}>
            <CodeBlock code={code} label={label} />
          </Disclosure>
        ))}
      </Panel>
      {view.canConfigure ? <MonitorActions view={view} /> : null}
    </NowProvider>
  )
}

function factsOf({ monitor, settings, owner, checkIns }: MonitorView): Definition[] {
  const first: Definition[] = [{ term: 'Project', description: monitor.project.name }]
  if (owner !== undefined)
    first.push({
      term: 'Owner',
      description: (
        <>
          <bdi>{owner.name}</bdi>
          {owner.isUser ? '' : ' (no user)'}
        </>
      ),
    })
  if (!isUptime(settings)) {
    return [
      ...first,
      { term: 'Schedule', description: monitor.schedule },
      { term: 'Margin', description: `${settings.marginMinutes} min` },
      { term: 'Maximum runtime', description: `${settings.maxRuntimeMinutes} min` },
    ]
  }
  const expiresAt = checkIns.find(({ seen }) => seen?.certificateExpiresAt !== undefined)?.seen
  return [
    ...first,
    { term: 'Address', description: <bdi>{monitor.target}</bdi> },
    { term: 'Checked', description: monitor.schedule },
    { term: 'Timeout', description: `${settings.timeoutSeconds} s` },
    ...(expiresAt?.certificateExpiresAt === undefined
      ? []
      : [{ term: 'Certificate expires', description: <Time at={expiresAt.certificateExpiresAt} /> }]),
  ]
}

function PeriodTabs({ monitor, search }: { monitor: MonitorSummary; search: MonitorSearch }) {
  return (
    <ChoiceTabs
      label="Period"
      choices={listedMonitorPeriods}
      names={monitorPeriodNames}
      current={search.period ?? defaultMonitorPeriod}
      linkTo={(period) => ({
        to: '/monitors/$project/$slug',
        params: { project: monitor.project.slug, slug: monitor.slug },
        search: { ...search, period: period === defaultMonitorPeriod ? undefined : period },
      })}
    />
  )
}

function EnvironmentTimeline({
  view,
  environment,
  search,
}: {
  view: MonitorView
  environment: EnvironmentView
  search: MonitorSearch
}) {
  const { monitor } = view
  const { name, nextAt, issueId, steps, durations, okShare } = environment
  const period = monitorPeriodNames[search.period ?? defaultMonitorPeriod]
  const isCheck = monitor.kind === 'uptime'
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
            {isCheck ? 'Next check' : 'Next expected'} <Time at={nextAt} near="now" />
          </span>
        )}
        {okShare === undefined ? null : (
          <span>
            {okShareText(okShare)} {isCheck ? 'up' : 'ok'}
          </span>
        )}
        {issueId === undefined ? null : (
          <Link to="/issues/$issueId" params={{ issueId }}>
            Issue
          </Link>
        )}
      </p>
      <MonitorTimeline
        steps={steps}
        view={view}
        period={`the last ${period} in ${name}`}
        kind={monitor.kind}
      />
      <DurationChart
        durations={durations}
        name={isCheck ? 'Response time' : 'Duration'}
        period={`the last ${period}`}
      />
    </div>
  )
}
