import { SettingsHeader } from '#components/settings/settings-header.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Bars } from '#components/ui/chart/bars.tsx'
import { DefinitionList, type Definition } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { byteText, exactCount, percentText } from '#numbers/number-text.ts'
import type { SystemFigures, SystemView } from '#server/console/settings/views.ts'
import { MailPanel } from './mail-panel.tsx'
import { ProcessPanel } from './process-panel.tsx'
import { ReplicaPanel } from './replica-panel.tsx'
import { SizePanels } from './size-panels.tsx'
import { SpacePanel } from './space-panel.tsx'
import '#styles/reports.css'

/** The `/settings/system` screen: the state of the installation, for its operator. */
export function SystemReport({ view: { now, system } }: { view: SystemView }) {
  return (
    <NowProvider now={now}>
      <SettingsHeader
        title="System"
        description="Server health and storage."
        canConfigure={system !== undefined}
      />
      {system === undefined ? (
        <p className="quiet">Only admins and owners can see this page.</p>
      ) : (
        <>
          <Panel id="health" title="Health" note={<Health problems={system.problems} />}>
            <DefinitionList layout="facts" items={healthFacts(system)} />
          </Panel>
          <ProcessPanel processes={system.processes} />
          <Panel id="disk" title="Disk">
            <DefinitionList layout="facts" items={diskFacts(system)} />
          </Panel>
          {system.replica !== undefined && <ReplicaPanel replica={system.replica} />}
          {system.mail !== undefined && <MailPanel mail={system.mail} />}
          <SpacePanel spaces={system.spaces} />
          <SizePanels sizes={system.sizes} />
        </>
      )}
    </NowProvider>
  )
}

function Health({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return <Badge tone="success">ready</Badge>
  return <Badge tone="danger">{problems.map((problem) => problem.replaceAll('_', ' ')).join(', ')}</Badge>
}

function healthFacts({
  startedAt,
  versions,
  memory,
  loopDelay,
  hours24,
  deadLetterCount,
  countsDelayMs,
}: SystemFigures): Definition[] {
  return [
    { term: 'Started', description: <Time at={startedAt} /> },
    ...versions.map(({ name, version }) => ({ term: name, description: version })),
    { term: 'Memory', description: byteText(memory.residentBytes) },
    { term: 'JS heap', description: byteText(memory.heapBytes) },
    { term: 'Event-loop delay p50, last minute', description: `${loopDelay.p50} ms` },
    { term: 'Event-loop delay p99', description: `${loopDelay.p99} ms` },
    { term: 'Event-loop delay max', description: `${loopDelay.max} ms` },
    {
      term: 'Accepted, 24 h',
      description: (
        <>
          {exactCount(hours24.reduce((sum, count) => sum + count, 0))} <Bars counts={hours24} label="Items" />
        </>
      ),
    },
    { term: 'Last full hour', description: perSecondText(hours24.at(-2) ?? 0) },
    { term: 'Counts of issues', description: <CountsDelay delayMs={countsDelayMs} /> },
    {
      term: 'Dead letters',
      description: <Link to="/outcomes/dead-letters">{exactCount(deadLetterCount)}</Link>,
    },
  ]
}

function CountsDelay({ delayMs }: { delayMs: number | undefined }) {
  if (delayMs === undefined) return 'up to date'
  return <Badge tone="warning">{`${exactCount(delayMs / 1000)} s behind`}</Badge>
}

/** Items of an hour as a rate. */
function perSecondText(count: number): string {
  const rate = count / 3600
  return `${exactCount(count)} (${rate > 0 && rate < 0.01 ? '<0.01' : rate.toFixed(2)} per second)`
}

function diskFacts({ disk, lastBackup }: SystemFigures): Definition[] {
  const { fileBytes, usedBytes, logBytes, limitBytes, freeBytes } = disk
  return [
    { term: 'Database', description: byteText(fileBytes) },
    { term: 'In use', description: byteText(usedBytes) },
    {
      term: 'Quota used',
      description: `${percentText(usedBytes, limitBytes)} of ${byteText(limitBytes)}`,
    },
    { term: 'Write-ahead log', description: byteText(logBytes) },
    ...(freeBytes === undefined ? [] : [{ term: 'Free on the disk', description: byteText(freeBytes) }]),
    {
      term: 'Last backup',
      description:
        lastBackup === undefined ? (
          <>
            none: <code>npm run -s culvert -- backup FILE</code>
          </>
        ) : (
          <>
            <Time at={lastBackup.at} />, {byteText(lastBackup.bytes)}
          </>
        ),
    },
  ]
}
