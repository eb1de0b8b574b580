import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { Redaction } from '#protocol/event.ts'
import { redactionReason } from './redaction-texts.ts'

/**
 * Lists where values of the event were scrubbed before it was stored, and why. The values themselves are not
 * stored.
 */
export function RedactionsNote({ redactions }: { redactions: readonly Redaction[] }) {
  if (redactions.length === 0) return null
  const values = countedNoun(redactions.length, 'value')
  return (
    <aside className="redactions" aria-label="Scrubbed values">
      <Disclosure summary={`${values} scrubbed`}>
        <DefinitionList
          items={redactions.map(({ field, rules }) => ({
            term: field,
            description: [...new Set(rules.map(redactionReason))].join(', '),
          }))}
        />
      </Disclosure>
    </aside>
  )
}
