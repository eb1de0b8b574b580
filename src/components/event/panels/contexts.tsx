import { ObjectList } from '#components/event/object-list.tsx'
import { TagLink } from '#components/issue/tag-link.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { JsonTree } from '#components/ui/json-tree.tsx'
import { byteText } from '#numbers/number-text.ts'
import type { Json, JsonObject } from '#protocol/json.ts'

/** The fields of the contexts `device` and `app` that are sizes in bytes (Sentry's event protocol). */
const byteFields: ReadonlySet<string> = new Set([
  'memory_size',
  'free_memory',
  'usable_memory',
  'app_memory',
  'storage_size',
  'free_storage',
  'external_storage_size',
  'external_free_storage',
])

/** The contexts of an event: runtime, browser, system, device, trace, and those added by the application. */
export function ContextsPanel({
  contexts,
  projectSlug,
}: {
  contexts: Record<string, JsonObject>
  projectSlug: string
}) {
  return (
    <div className="contexts">
      {Object.entries(contexts).map(([name, { type: _kind, ...fields }]) => (
        <section key={name}>
          <h3>
            <bdi>{name}</bdi>
          </h3>
          {Object.keys(fields).length === 0 ? (
            <p className="quiet">Empty</p>
          ) : name === 'flags' ? (
            <FlagList context={fields} projectSlug={projectSlug} />
          ) : (
            <ObjectList object={fields} noteOf={sizeNote} />
          )}
        </section>
      ))}
    </div>
  )
}

/** The feature flags, each with a link to the issues with its value; other data as it was sent. */
function FlagList({ context, projectSlug }: { context: JsonObject; projectSlug: string }) {
  const flags = toFlags(context)
  if (flags === undefined) return <ObjectList object={context} />
  const items = Object.entries(flags).map(([name, result]) => {
    const value = <JsonTree value={result} />
    if (typeof result === 'object') return { term: name, description: value }
    const tag = { projectSlug, tagKey: 'flags', value: `${name}:${String(result)}` }
    return { term: name, description: <TagLink {...tag}>{value}</TagLink> }
  })
  return <DefinitionList items={items} />
}

/** Feature flags, a list in the protocol, by name; the last evaluation of a flag counts. */
function toFlags({ values, ...others }: JsonObject): JsonObject | undefined {
  if (!Array.isArray(values) || Object.keys(others).length > 0) return undefined
  const flags: JsonObject = {}
  for (const each of values) {
    const isObject = typeof each === 'object' && each !== null && !Array.isArray(each)
    const { flag, result } = isObject ? each : {}
    if (typeof flag !== 'string' || result === undefined) return undefined
    flags[flag] = result
  }
  return flags
}

function sizeNote(name: string, value: Json): string | undefined {
  return typeof value === 'number' && byteFields.has(name) ? byteText(value) : undefined
}
