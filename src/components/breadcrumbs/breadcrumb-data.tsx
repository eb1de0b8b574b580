import { JsonTree } from '#components/ui/json-tree.tsx'
import type { JsonObject } from '#protocol/json.ts'

/**
 * The data of a breadcrumb, ready to scan: a request's method, URL and status are expanded, nested values are
 * collapsed.
 */
export function BreadcrumbData({ data }: { data: JsonObject }) {
  const entries = Object.entries(data)
  if (entries.length === 0) return null
  return (
    <dl className="breadcrumb-data">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <JsonTree value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
