import { DefinitionList } from '#components/ui/definition-list.tsx'
import type { Event } from '#protocol/event.ts'

/** The SDK and platform of the event, and the ids that connect it to other events. */
export function OriginPanel({ event }: { event: Event }) {
  const sdk = [event.sdk?.name, event.sdk?.version].filter((part) => part !== undefined).join(' ')
  const facts: [string, string | undefined][] = [
    ['SDK', sdk],
    ['Platform', event.platform],
    ['Logger', event.logger],
    ['Distribution', event.dist],
    ['Fingerprint', event.fingerprint?.join(' · ')],
  ]
  const items = facts.flatMap(([term, value]) =>
    value === undefined || value === '' ? [] : [{ term, description: <bdi className="mono">{value}</bdi> }],
  )
  return <DefinitionList items={items} />
}
