import { JsonTree } from '#components/ui/json-tree.tsx'
import type { JsonObject } from '#protocol/json.ts'

/** The local variables of a frame. */
export function FrameVariables({ variables }: { variables: JsonObject }) {
  return (
    <table className="variables">
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
              <JsonTree value={value} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
