import { DefinitionList, type Definition } from '#components/ui/definition-list.tsx'
import { JsonTree } from '#components/ui/json-tree.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import type { Message } from '#protocol/event.ts'

/** The text of a message, with its template and parameters. */
export function MessagePanel({ message }: { message: Message }) {
  const { formatted, template, params } = message
  const items: Definition[] = []
  if (template !== undefined && template !== formatted) {
    const description = (
      <code dir="auto">
        <MarkedText text={template} />
      </code>
    )
    items.push({ term: 'Template', description })
  }
  if (params !== undefined) items.push({ term: 'Parameters', description: <JsonTree value={params} /> })
  return (
    <div className="message">
      <p className="exception-value" dir="auto">
        <MarkedText text={formatted} />
      </p>
      {items.length === 0 ? null : <DefinitionList items={items} />}
    </div>
  )
}
