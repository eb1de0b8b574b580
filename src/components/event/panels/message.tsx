import { JsonTree } from '#components/ui/json-tree.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import type { Message } from '#protocol/event.ts'

/** The text of a message, with its template and parameters. */
export function MessagePanel({ message }: { message: Message }) {
  const { formatted, template, params } = message
  return (
    <div className="message">
      <p className="exception-value" dir="auto">
        <MarkedText text={formatted} />
      </p>
      {template === undefined || template === formatted ? null : (
        <p className="quiet">
          Template:{' '}
          <code dir="auto">
            <MarkedText text={template} />
          </code>
        </p>
      )}
      {params === undefined ? null : <JsonTree value={params} />}
    </div>
  )
}
