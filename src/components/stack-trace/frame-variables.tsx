import { JsonTree } from '#components/ui/json-tree.tsx'
import type { JsonObject } from '#protocol/json.ts'
import { useSourceTexts } from './event-platform.ts'

/** The local variables of a frame. */
export function FrameVariables({ variables }: { variables: JsonObject }) {
  const isSourceText = useSourceTexts()
  return (
    <table className="variables" data-source-text={isSourceText || undefined}>
      <caption>Variables</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(variables).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td>
              <JsonTree value={value} hasQuotes={!isSourceText} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
