import { ObjectList } from '#components/event/object-list.tsx'
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
export function ContextsPanel({ contexts }: { contexts: Record<string, JsonObject> }) {
  return (
    <div className="contexts">
      {Object.entries(contexts).map(([name, { type: _kind, ...fields }]) => (
        <section key={name}>
          <h3>
            <bdi>{name}</bdi>
          </h3>
          {Object.keys(fields).length === 0 ? (
            <p className="quiet">Empty</p>
          ) : (
            <ObjectList object={name === 'flags' ? toFlags(fields) : fields} noteOf={sizeNote} />
          )}
        </section>
      ))}
    </div>
  )
}

/** Feature flags, a list in the protocol, by name; the last evaluation of a flag counts. */
function toFlags(context: JsonObject): JsonObject {
  const { values, ...others } = context
  if (!Array.isArray(values)) return context
  const flags: JsonObject = {}
  for (const each of values) {
    const isObject = typeof each === 'object' && each !== null && !Array.isArray(each)
    const { flag, result } = isObject ? each : {}
    if (typeof flag !== 'string' || result === undefined) return context
    flags[flag] = result
  }
  return { ...flags, ...others }
}

function sizeNote(name: string, value: Json): string | undefined {
  return typeof value === 'number' && byteFields.has(name) ? byteText(value) : undefined
}
