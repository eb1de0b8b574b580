import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { listTagKeysBeginning, listTagValuesBeginning } from '#server/store/tag-values.ts'

/** The names of a user that searches know, and how the tag `user` begins for each (user-identity.ts). */
const userKinds: Record<string, string> = {
  'user.id': 'id:',
  'user.username': 'username:',
  'user.email': 'email:',
  'user.ip': 'ip:',
}

/** What can stand behind `key:`, in alphabetical order. One statement; two for what a user is known by. */
export async function listTagValues(
  { store: { db } }: Pick<Services, 'store'>,
  viewer: Viewer,
  { key, begin }: { key: string; begin: string },
): Promise<string[]> {
  const projectIds = reachableProjects(viewer)
  if (projectIds.length === 0) return []
  if (key === 'has') return listTagKeysBeginning(db, { projectIds, begin })
  const kind = userKinds[key]
  const values = await listTagValuesBeginning(db, { projectIds, key, begin })
  if (kind === undefined) return values
  const users = await listTagValuesBeginning(db, { projectIds, key: 'user', begin: `${kind}${begin}` })
  const names = new Set([...users.map((user) => user.slice(kind.length)), ...values])
  return [...names].toSorted().slice(0, limits.suggestedValues)
}
