import { tokenizeSearch } from '#search/tokens.ts'
import { readQuoted } from '#search/values.ts'
import { listKeyRows } from '#server/store/projects/key-changes.ts'
import type { ProjectOverview } from '#server/store/projects/projects.ts'
import type { Db } from '#server/store/schema/database.ts'

/** The query of project lists, for the OpenAPI document. */
export const projectQueryText =
  'A part of the name or the slug, and `slug:`, `id:`, `name:`, `platform:` or `dsn:` with a public key.'

type Matches = (project: ProjectOverview) => boolean

interface KeyedPart {
  key: string
  value: string
  isNegated: boolean
}

/**
 * Reads the query of a list of projects as Sentry does: words that the name or the slug contains, and
 * `key:value`. An unknown key, such as `team:`, finds nothing: clients use the first project of the answer.
 * At most one statement.
 */
export async function readProjectQuery(db: Db, query: string): Promise<Matches> {
  const parts = tokenizeSearch(query).flatMap((token) => (token.kind === 'part' ? token : []))
  const text = parts.flatMap(({ key, value }) => (key === undefined ? value : [])).join(' ')
  const keyed = parts.flatMap(({ key, value, isNegated }) =>
    key === undefined ? [] : { key, value: readQuoted(value) ?? value, isNegated },
  )
  const hasDsn = keyed.some(({ key }) => key === 'dsn')
  const keys = new Map(hasDsn ? (await listKeyRows(db)).map((key) => [key.publicKey, key.projectId]) : [])
  const has = (project: ProjectOverview, { key, value }: KeyedPart) => {
    switch (key) {
      case 'id':
        return String(project.id) === value
      case 'slug':
        return project.slug === value
      case 'name':
        return project.name.toLowerCase() === value.toLowerCase()
      case 'platform':
        return project.platform === value
      case 'dsn':
        return keys.get(value.replaceAll('-', '').toLowerCase()) === project.id
      case 'is_member':
        return true
      default:
        return false
    }
  }
  return (project) =>
    [project.name, project.slug].some((name) => name.toLowerCase().includes(text.toLowerCase())) &&
    keyed.every((part) => has(project, part) !== part.isNegated)
}
