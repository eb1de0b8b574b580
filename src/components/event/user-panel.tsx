import { DefinitionList } from '#components/ui/definition-list.tsx'
import type { Definition } from '#components/ui/definition-list.tsx'
import { JsonTree } from '#components/ui/json-tree.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import type { User } from '#protocol/event.ts'

/** Who it happened to, as far as the SDK said. */
export function UserPanel({ user }: { user: User }) {
  const named: [string, string | undefined][] = [
    ['Id', user.id],
    ['E-mail', user.email],
    ['Username', user.username],
    ['Name', user.name],
    ['IP address', user.ipAddress],
  ]
  const items: Definition[] = named.flatMap(([term, value]) =>
    value === undefined
      ? []
      : [
          {
            term,
            description: (
              <bdi>
                <MarkedText text={value} />
              </bdi>
            ),
          },
        ],
  )
  if (user.geo !== undefined) items.push({ term: 'Geography', description: <JsonTree value={user.geo} /> })
  for (const [name, value] of Object.entries(user.data ?? {}))
    items.push({ term: name, description: <JsonTree value={value} /> })
  return <DefinitionList items={items} />
}
