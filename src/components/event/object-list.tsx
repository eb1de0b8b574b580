import { DefinitionList } from '#components/ui/definition-list.tsx'
import { JsonTree } from '#components/ui/json-tree.tsx'
import type { Json, JsonObject } from '#protocol/json.ts'

/**
 * The entries of an object as names and values, with collapsible nested values; `noteOf` returns a note after
 * a value.
 */
export function ObjectList({
  object,
  noteOf,
}: {
  object: JsonObject
  noteOf?: (name: string, value: Json) => string | undefined
}) {
  return (
    <DefinitionList
      items={Object.entries(object).map(([name, value]) => ({
        term: name,
        description: (
          <>
            <JsonTree value={value} />
            <Note text={noteOf?.(name, value)} />
          </>
        ),
      }))}
    />
  )
}

function Note({ text }: { text: string | undefined }) {
  return text === undefined ? null : <span className="quiet"> {text}</span>
}
