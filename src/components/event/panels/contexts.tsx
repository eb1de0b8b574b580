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
            <ObjectList object={fields} noteOf={sizeNote} />
          )}
        </section>
      ))}
    </div>
  )
}

function sizeNote(name: string, value: Json): string | undefined {
  return typeof value === 'number' && byteFields.has(name) ? byteText(value) : undefined
}
