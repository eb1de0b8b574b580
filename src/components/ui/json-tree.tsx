import type { ReactNode } from 'react'
import { exactCount } from '#numbers/number-text.ts'
import type { Json } from '#protocol/json.ts'
import {
  cutString,
  jsonDepth,
  jsonEntries,
  jsonLineCharacters,
  jsonPreview,
  jsonStringCharacters,
} from './json-preview.ts'
import { LongText } from './long-text.tsx'
import { MarkedText } from './marked-text.tsx'
import { Later } from './time/later.tsx'

/**
 * Any JSON value, foldable without JavaScript; bounded in depth, entries and string length, and it shows what
 * it omitted. Without `hasQuotes`, texts within a preview have none.
 */
export function JsonTree({ value, hasQuotes = true }: { value: Json; hasQuotes?: boolean }) {
  return <JsonNode value={value} depth={0} label={null} hasQuotes={hasQuotes} />
}

interface JsonNodeProps {
  value: Json
  depth: number
  label: ReactNode
  hasQuotes: boolean
}

/** One value; `label` is its key or index in the parent value, as an element. */
function JsonNode({ value, depth, label, hasQuotes }: JsonNodeProps) {
  if (typeof value !== 'object' || value === null) {
    return (
      <>
        {label}
        <JsonScalar value={value} />
      </>
    )
  }
  const entries = Object.entries(value)
  const preview = <code className="json">{jsonPreview(value, hasQuotes)}</code>
  if (entries.length === 0 || depth >= jsonDepth) {
    return (
      <>
        {label}
        {preview}
      </>
    )
  }
  const hiddenCount = entries.length - jsonEntries
  return (
    <details className="json-branch">
      <summary>
        {label}
        {preview}
      </summary>
      <Later>
        <ul>
          {entries.slice(0, jsonEntries).map(([key, entry]) => (
            <li key={key}>
              <JsonNode
                value={entry}
                depth={depth + 1}
                label={<bdi className="json-key">{key}</bdi>}
                hasQuotes={hasQuotes}
              />
            </li>
          ))}
          {hiddenCount > 0 ? <li className="json-rest">… {exactCount(hiddenCount)} more</li> : null}
        </ul>
      </Later>
    </details>
  )
}

function JsonScalar({ value }: { value: string | number | boolean | null }) {
  if (typeof value === 'string') return <JsonString text={value} />
  return (
    <code className="json" data-kind={value === null ? 'null' : typeof value}>
      {String(value)}
    </code>
  )
}

function JsonString({ text }: { text: string }) {
  const { shown, hiddenCount } = cutString(text, jsonStringCharacters)
  return (
    <LongText text={text} limit={jsonLineCharacters}>
      <code className="json" data-kind="string" dir="auto">
        <MarkedText text={shown} />
        {hiddenCount > 0 ? (
          <span className="json-rest"> … {exactCount(hiddenCount)} more characters</span>
        ) : null}
      </code>
    </LongText>
  )
}
