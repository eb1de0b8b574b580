import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { listTagKeysBeginning, listTagValuesBeginning } from '#server/store/tag-values.ts'

const userKinds: Record<string, string> = { 'user.id': 'id:', 'user.username': 'username:', 'user.ip': 'ip:' }

/** What can stand behind `key:`, in alphabetical order. One statement. */
export async function listTagValues(
  { store: { db } }: Pick<Services, 'store'>,
  viewer: Viewer,
  { key, begin }: { key: string; begin: string },
): Promise<string[]> {
  const projectIds = reachableProjects(viewer)
  if (projectIds.length === 0) return []
  if (key === 'has') return listTagKeysBeginning(db, { projectIds, begin })
  const kind = key === 'user.email' ? 'email:' : userKinds[key]
  if (kind === undefined) return listTagValuesBeginning(db, { projectIds, key, begin })
  const users = await listTagValuesBeginning(db, { projectIds, key: 'user', begin: `${kind}${begin}` })
  return users.map((user) => user.slice(kind.length))
}
