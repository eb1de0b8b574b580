import { ObjectList } from '#components/event/object-list.tsx'
import type { JsonObject } from '#protocol/json.ts'

/**
 * What the SDK knew of its surroundings: runtime, browser, system, device, trace, and what the application
 * added.
 */
export function ContextsPanel({ contexts }: { contexts: Record<string, JsonObject> }) {
  return (
    <div className="contexts">
      {Object.entries(contexts).map(([name, { type: _kind, ...fields }]) => (
        <section key={name}>
          <h3>
            <bdi>{name}</bdi>
          </h3>
          {Object.keys(fields).length === 0 ? <p className="quiet">Empty</p> : <ObjectList object={fields} />}
        </section>
      ))}
    </div>
  )
}
