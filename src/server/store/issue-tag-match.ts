import { sql, type RawBuilder } from 'kysely'
import type { SearchCondition } from '#search/search-term.ts'

/** A tag of which an event of the issue must have one value: this one, or one that begins with it. */
export interface TagMatch {
  key: string
  text: string
  isPrefix: boolean
}

type TagCondition = Extract<SearchCondition, { kind: 'tag' }>

/** What of a user the tag `user` holds (user-identity.ts), by the name that is searched for. */
const userKinds: Record<string, string> = {
  'user.id': 'id',
  'user.username': 'username',
  'user.email': 'email',
  'user.ip': 'ip',
}

/**
 * Any of these fulfils the condition. A user stands in the tag `user` by the first that is known of it, and everything else
 * that is known in a tag of its own.
 */
export function tagMatches({ key, values }: TagCondition): TagMatch[] {
  const matches = values.map((value): TagMatch => Object.assign({ key }, value))
  const kind = userKinds[key]
  if (kind === undefined) return matches
  const identities = values.map(({ text, isPrefix }) => ({ key: 'user', text: `${kind}:${text}`, isPrefix }))
  return [...identities, ...matches]
}

/** Rows of `issue_tags`, under the name `t`, that match: a point or a range of either of its indexes. */
export function matchesTag({ key, text, isPrefix }: TagMatch): RawBuilder<boolean> {
  if (!isPrefix) return sql`t.key = ${key} and t.value = ${text}`
  return sql`t.key = ${key} and t.value >= ${text} and t.value < ${`${text}\u{10ffff}`}`
}
