import { Badge } from '#components/ui/badge.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { byteText, exactCount } from '#numbers/number-text.ts'
import type { ProcessFigures } from '#server/console/settings/views.ts'

/** The processes that share the database, each with its version, uptime and load. */
export function ProcessPanel({ processes }: { processes: readonly ProcessFigures[] }) {
  if (processes.length === 0) return null
  const versions = new Set(processes.filter(({ isLate }) => !isLate).map(({ version }) => version))
  return (
    <Panel
      id="processes"
      title="Processes"
      note={versions.size > 1 && <Badge tone="warning">different versions</Badge>}
    >
      <ul className="definitions-list">
        {processes.map((process) => (
          <li key={process.id}>
            <DefinitionList layout="facts" items={processFacts(process)} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function processFacts({ host, pid, isThis, isLate, version, startedAt, ...load }: ProcessFigures) {
  const name = (
    <>
      {host}, {pid} {isThis && <Badge>this page</Badge>}
    </>
  )
  const facts = [
    { term: 'Process', description: name },
    { term: 'Version', description: version },
    { term: 'Started', description: <Time at={startedAt} /> },
  ]
  // The last figures of a process that ended are meaningless.
  if (isLate)
    return [
      ...facts,
      {
        term: 'Last seen',
        description: (
          <Badge tone="danger">
            <Time at={load.seenAt} />
          </Badge>
        ),
      },
    ]
  return [
    ...facts,
    { term: 'Items per minute', description: exactCount(load.itemsPerMinute) },
    { term: 'CPU', description: `${exactCount(load.cpuShare * 100)}%` },
    { term: 'Memory', description: byteText(load.memoryBytes) },
  ]
}
