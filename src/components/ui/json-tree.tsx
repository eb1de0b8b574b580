import type { Json } from '#protocol/json.ts'
import { cutString, jsonDepth, jsonEntries, jsonPreview } from './json-preview.ts'
import { exactCount } from './number-text.ts'

/** Any JSON value, foldable without JavaScript; bounded in depth, entries and string length, and it says what it left out. */
export function JsonTree({ value, depth = 0 }: { value: Json; depth?: number }) {
  if (value === null)
    return (
      <code className="json" data-kind="null">
        null
      </code>
    )
  if (typeof value === 'string') return <JsonString text={value} />
  if (typeof value !== 'object') {
    return (
      <code className="json" data-kind={typeof value}>
        {String(value)}
      </code>
    )
  }
  const entries = Object.entries(value)
  const preview = jsonPreview(value)
  if (entries.length === 0 || depth >= jsonDepth) return <code className="json">{preview}</code>
  const hiddenCount = entries.length - jsonEntries
  return (
    <details className="json-branch">
      <summary>
        <code className="json">{preview}</code>
      </summary>
      <dl>
        {entries.slice(0, jsonEntries).map(([key, entry]) => (
          <div key={key}>
            <dt>
              <bdi>{key}</bdi>
            </dt>
            <dd>
              <JsonTree value={entry} depth={depth + 1} />
            </dd>
          </div>
        ))}
      </dl>
      {hiddenCount > 0 ? <p className="json-rest">… {exactCount(hiddenCount)} more</p> : null}
    </details>
  )
}

function JsonString({ text }: { text: string }) {
  const { shown, hiddenCount } = cutString(text)
  return (
    <code className="json" data-kind="string" dir="auto">
      {shown === '' ? '""' : shown}
      {hiddenCount > 0 ? (
        <span className="json-rest"> … {exactCount(hiddenCount)} more characters</span>
      ) : null}
    </code>
  )
}
