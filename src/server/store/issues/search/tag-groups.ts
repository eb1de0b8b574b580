import { sql, type RawBuilder } from 'kysely'
import type { SearchCondition } from '#search/term.ts'
import { formOf, type PatternForm } from '#search/value-pattern.ts'
import { either, hasForm } from './match-sql.ts'

type TagCondition = Extract<SearchCondition, { kind: 'tag' | 'trait' }>

/** Rows of a table, with the alias `t`, at least one of which must fulfil the condition. */
export interface TagGroup {
  table: 'issue_tags' | 'issue_traits' | 'issue_environments'
  matches: RawBuilder<boolean>
  /**
   * `range`: points or ranges in both indexes of the table. `scan`: all values of the key. `project`: a
   * condition that depends on the project.
   */
  by: 'range' | 'scan' | 'project'
}

/** The groups of rows that fulfil a condition. Values that are points in an index form one group. */
export function tagGroups(condition: TagCondition): TagGroup[] {
  const names = condition.kind === 'tag' ? namesOf(condition) : [namesOfKey(condition.key, condition.values)]
  return names.flatMap(({ key, forms }) => groupsOfKey(tableOf(condition), key, forms))
}

function tableOf({ kind, key }: TagCondition): TagGroup['table'] {
  if (kind === 'trait') return 'issue_traits'
  // Environments have a table of their own, which every commit updates.
  return key === 'environment' ? 'issue_environments' : 'issue_tags'
}

interface NamedForms {
  key: string
  forms: PatternForm[]
}

function namesOfKey(key: string, values: TagCondition['values']): NamedForms {
  return { key, forms: values.map(formOf) }
}

/** The kind of user in the tag `user` (user-identity.ts), by the searched key. */
const userKinds: Record<string, string> = {
  'user.id': 'id',
  'user.username': 'username',
  'user.email': 'email',
  'user.ip': 'ip',
}

/** The tag `user` contains the first known identifier of a user; each further one has a separate tag. */
function namesOf({ key, values }: TagCondition): NamedForms[] {
  const named = namesOfKey(key, values)
  const kind = userKinds[key]
  if (kind === undefined) return [named]
  const identities = values.map(({ pieces: [first = '', ...rest] }) => ({
    pieces: [`${kind}:${first}`, ...rest],
  }))
  return [namesOfKey('user', identities), named]
}

function groupsOfKey(table: TagGroup['table'], key: string, forms: readonly PatternForm[]): TagGroup[] {
  const value = table === 'issue_environments' ? sql.ref<string>('t.environment') : sql.ref<string>('t.value')
  const ofKey = (matches: RawBuilder<boolean>): RawBuilder<boolean> =>
    table === 'issue_environments' ? matches : sql`t.key = ${key} and ${matches}`
  const isLatest = (form: PatternForm) => key === 'release' && form.kind === 'exact' && form.text === 'latest'
  const exact = forms.flatMap((form) => (form.kind === 'exact' && !isLatest(form) ? [form.text] : []))
  const wild = forms.filter(({ kind }) => kind === 'wild')
  const ranges = forms.filter(({ kind }) => kind === 'prefix' || kind === 'any')
  return [
    ...(exact.length === 0
      ? []
      : [{ table, by: 'range', matches: ofKey(sql`${value} in (${sql.join(exact)})`) } as const]),
    ...ranges.map((form) => ({ table, by: 'range', matches: ofKey(hasForm(value, form)) }) as const),
    ...(wild.length === 0
      ? []
      : [{ table, by: 'scan', matches: ofKey(either(wild.map((form) => hasForm(value, form)))) } as const]),
    ...(forms.some(isLatest)
      ? [{ table, by: 'project', matches: ofKey(sql`${value} = ${latestRelease}`) } as const]
      : []),
  ]
}

/** The newest release of the project. */
export const latestRelease = sql<string>`(select r.version from releases r where r.project_id = issues.project_id
  order by coalesce(r.released_at, r.created_at) desc limit 1)`
