import { DefinitionList } from '#components/ui/definition-list.tsx'
import { JsonTree } from '#components/ui/json-tree.tsx'
import type { JsonObject } from '#protocol/json.ts'

/** The entries of an object as names and values, nested ones foldable. */
export function ObjectList({ object }: { object: JsonObject }) {
  return (
    <DefinitionList
      items={Object.entries(object).map(([name, value]) => ({
        term: name,
        description: <JsonTree value={value} />,
      }))}
    />
  )
}
