import { parseTagKey } from '#search/tag-key.ts'
import { findSearchWord } from '#search/words.ts'
import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { listTagKeysBeginning, listTagValuesBeginning } from '#server/store/issues/tag-values.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'

/** The user fields that searches support, and the prefix of each in the tag `user` (user-identity.ts). */
const userKinds: Record<string, string> = {
  'user.id': 'id:',
  'user.username': 'username:',
  'user.email': 'email:',
  'user.ip': 'ip:',
}

/**
 * The completions of `key:` in a search, in alphabetical order, in the projects of the viewer. At most two
 * statements.
 */
export async function listTagValues(
  { store: { db } }: Pick<Services, 'store'>,
  viewer: Viewer,
  { key, begin }: { key: string; begin: string },
): Promise<string[]> {
  const query = { projectIds: reachableProjects(viewer), begin }
  const known = findSearchWord(key)
  const ofTag = (tag: string) => listTagValuesBeginning(db, { ...query, key: tag })
  const explicit = parseTagKey(key)
  if (explicit !== undefined) return ofTag(explicit)
  const source = known?.source
  if (source?.from === 'has') return listTagKeysBeginning(db, query)
  if (source?.from === 'project') return listSlugs(db, query)
  if (source?.from === 'field')
    return source.field === 'platform' ? [] : withLatest(await ofTag('release'), begin)
  if (known?.source.from === 'trait') {
    const { word } = known
    const traits = await listTagValuesBeginning(db, { ...query, key: word, table: 'issue_traits' })
    return union([traits, await ofTag(word)])
  }
  // A version follows the name of its product, so its beginning cannot be looked up.
  if (source?.from === 'tag' && source.holds === 'version') return []
  const tag = (source?.from === 'tag' ? source.key : undefined) ?? known?.word ?? key
  if (tag === 'release') return withLatest(await ofTag(tag), begin)
  const kind = userKinds[tag]
  return kind === undefined ? ofTag(tag) : union([await listUsers(db, query, kind), await ofTag(tag)])
}

async function listSlugs(
  db: Services['store']['db'],
  { projectIds, begin }: { projectIds: readonly number[]; begin: string },
): Promise<string[]> {
  const slugs = (await listProjectNames(db))
    .filter(({ id, slug }) => projectIds.includes(id) && slug.startsWith(begin))
    .map(({ slug }) => slug)
  return slugs.toSorted().slice(0, limits.suggestedValues)
}

/** Users by their identifying name. */
async function listUsers(
  db: Services['store']['db'],
  { projectIds, begin }: { projectIds: readonly number[]; begin: string },
  kind: string,
): Promise<string[]> {
  const users = await listTagValuesBeginning(db, { projectIds, key: 'user', begin: `${kind}${begin}` })
  return users.map((user) => user.slice(kind.length))
}

function withLatest(releases: readonly string[], begin: string): string[] {
  return 'latest'.startsWith(begin) ? ['latest', ...releases] : [...releases]
}

function union(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())].toSorted().slice(0, limits.suggestedValues)
}
