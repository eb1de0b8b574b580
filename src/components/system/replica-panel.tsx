import { Badge } from '#components/ui/badge.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ReplicaFigures } from '#server/console/settings/views.ts'

/** The replica that answers reads, and why it does not. */
export function ReplicaPanel({ replica: { name, isUsed, lagMs, problem } }: { replica: ReplicaFigures }) {
  const badge = isUsed ? <Badge tone="success">in use</Badge> : <Badge tone="danger">not in use</Badge>
  const items = [
    { term: 'Database', description: name },
    { term: 'Behind', description: lagMs === undefined ? 'unknown' : `${lagMs} ms` },
  ]
  return (
    <Panel id="replica" title="Read replica" note={badge}>
      <DefinitionList layout="facts" items={items} />
      {problem !== undefined && <p>{`Reads use the primary, because ${problem}.`}</p>}
    </Panel>
  )
}
