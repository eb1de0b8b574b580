import { ObjectList } from '#components/event/object-list.tsx'
import { DefinitionList, type Definition } from '#components/ui/definition-list.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { JsonTree } from '#components/ui/json-tree.tsx'
import type { Event } from '#protocol/event.ts'
import type { Json, JsonObject } from '#protocol/json.ts'

/**
 * A browser's security report: the violated rule, the blocked resource, and the page. URLs are untrusted and
 * therefore shown as text.
 */
export function SecurityReportPanel({ report }: { report: NonNullable<Event['securityReport']> }) {
  if (report.kind !== 'csp') return <ObjectList object={report.data} />
  const { original_policy: policy, ...data } = report.data
  return (
    <>
      <DefinitionList items={cspFacts(data)} />
      {typeof policy === 'string' && policy !== '' ? (
        <Disclosure summary="Policy" isOpen>
          <ul className="policy">
            {policyDirectives(policy).map((directive, index) => (
              <li key={index}>
                <code dir="auto">{directive}</code>
              </li>
            ))}
          </ul>
        </Disclosure>
      ) : null}
    </>
  )
}

/** The most important fields first, with labels; the others follow with their own names. */
const knownFacts = new Map([
  ['effective_directive', 'Directive'],
  ['blocked_uri', 'Blocked'],
  ['document_uri', 'Page'],
  ['source_file', 'Source'],
  ['script_sample', 'Sample'],
  ['disposition', 'Disposition'],
  ['violated_directive', 'Violated directive'],
  ['status_code', 'Status'],
  ['referrer', 'Referrer'],
])

/** They are shown after the source's URL. */
const placeFields = new Set(['line_number', 'column_number'])

function cspFacts(data: JsonObject): Definition[] {
  const facts: Definition[] = []
  for (const [name, term] of knownFacts) {
    const value = name === 'source_file' ? sourceLocation(data) : data[name]
    if (value === undefined || value === null || value === '') continue
    facts.push({ term, description: <Fact value={value} /> })
  }
  const hasSource = sourceLocation(data) !== undefined
  for (const [name, value] of Object.entries(data)) {
    if (knownFacts.has(name) || (hasSource && placeFields.has(name))) continue
    facts.push({ term: name, description: <JsonTree value={value} /> })
  }
  return facts
}

function Fact({ value }: { value: Json }) {
  if (typeof value !== 'string' && typeof value !== 'number') return <JsonTree value={value} />
  return <bdi className="mono">{value}</bdi>
}

/** File, line and column as an editor reads them: `https://shop.test/app.js:24:7`. */
function sourceLocation({ source_file: file, line_number: line, column_number: column }: JsonObject) {
  if (typeof file !== 'string' || file === '') return undefined
  const numbers = [line, column].filter((part) => typeof part === 'number' || typeof part === 'string')
  return [file, ...numbers].join(':')
}

function policyDirectives(policy: string): string[] {
  return policy
    .split(';')
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '')
}
