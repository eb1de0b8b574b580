import { DefinitionList } from '#components/ui/definition-list.tsx'
import type { Definition } from '#components/ui/definition-list.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import type { Event } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'

/** The few facts that are asked for first: where, in what, for whom. */
export function EventHighlights({ event }: { event: Event }) {
  const { contexts, request, user } = event
  const candidates: [string, string | undefined][] = [
    ['Environment', event.environment],
    ['Release', event.release],
    ['Transaction', event.transaction],
    ['URL', request?.url],
    ['User', user?.email ?? user?.username ?? user?.id ?? user?.ipAddress],
    ['Browser', nameAndVersion(contexts['browser'])],
    ['System', nameAndVersion(contexts['os'])],
    ['Runtime', nameAndVersion(contexts['runtime'])],
    ['Server', event.serverName],
  ]
  const items: Definition[] = candidates.flatMap(([term, value]) =>
    value === undefined || value === ''
      ? []
      : [
          {
            term,
            description: (
              <bdi title={value}>
                <MarkedText text={value} />
              </bdi>
            ),
          },
        ],
  )
  return <DefinitionList layout="facts" items={items} />
}

function nameAndVersion(context: JsonObject | undefined): string | undefined {
  const name = context?.['name']
  const version = context?.['version']
  if (typeof name !== 'string') return undefined
  return typeof version === 'string' ? `${name} ${version}` : name
}
