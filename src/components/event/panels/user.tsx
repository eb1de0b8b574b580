import { TagLink } from '#components/issue/tag-link.tsx'
import { DefinitionList, type Definition } from '#components/ui/definition-list.tsx'
import { JsonTree } from '#components/ui/json-tree.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import type { User } from '#protocol/event.ts'

/** The affected user, as sent by the SDK. */
export function UserPanel({ user, projectSlug }: { user: User; projectSlug: string }) {
  const named: [term: string, tagKey: string | undefined, value: string | undefined][] = [
    ['ID', 'user.id', user.id],
    ['Email', 'user.email', user.email],
    ['Username', 'user.username', user.username],
    ['Name', undefined, user.name],
    ['IP address', 'user.ip', user.ipAddress],
  ]
  const items: Definition[] = named.flatMap(([term, tagKey, value]) => {
    if (value === undefined) return []
    const text = (
      <bdi>
        <MarkedText text={value} />
      </bdi>
    )
    const link = tagKey === undefined ? text : <TagLink {...{ projectSlug, tagKey, value }}>{text}</TagLink>
    return [{ term, description: link }]
  })
  if (user.geo !== undefined) items.push({ term: 'Geography', description: <JsonTree value={user.geo} /> })
  for (const [name, value] of Object.entries(user.data ?? {}))
    items.push({ term: name, description: <JsonTree value={value} /> })
  return <DefinitionList items={items} />
}
