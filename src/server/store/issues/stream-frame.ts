import { sql, type Kysely, type RawBuilder } from 'kysely'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { hasAccessToOneOf } from '#server/store/accounts/access.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { Database } from '#server/store/schema/database.ts'
import { selectIssueOfShortId, type ShortId } from '#server/store/triage/merged-issue.ts'
import type { IssueMark, Person, SavedSearch, StatusCount } from './records.ts'
import { barSpans, issueRanges, issueSorts, issueStatuses } from './records.ts'
import { upTo } from './search/status-counts.ts'

/** Who looks at the stream. */
export interface StreamReader {
  userId: string
  organizationIds: readonly number[]
  projectIds: readonly number[]
}

export interface StreamFrameQuery extends StreamReader {
  /** An issue that the search may mean: by its project's slug and its number. */
  shortId?: ShortId
}

/** The project that Culvert reports its own errors to. */
export interface BuiltInProject extends ProjectName {
  /** Its unresolved issues. */
  unresolved: StatusCount
}

/** What surrounds the list of the stream. */
export interface StreamFrame {
  /** By name. */
  projects: ProjectName[]
  /** By project. */
  marks: Record<number, IssueMark>
  /** Of all projects, in alphabetical order. */
  environments: string[]
  /** Culvert's own project, where the reader reaches it. */
  builtIn?: BuiltInProject
  /** True when none of the projects has ever stored an event. */
  isEmptyInstallation: boolean
  /** True when none of them has, except Culvert's own. */
  isEmptyBesidesOwn: boolean
  /** By name: the reader's own and those that the organizations share. */
  savedSearches: SavedSearch[]
  /** Who reaches one of the projects, by name, at most `limits.assigneesShown`. */
  people: Person[]
  /** The issue with the short id. */
  issueId?: string
}

/** Everything that the stream shows beside its rows. One statement. */
export async function readStreamFrame(
  db: Kysely<Database>,
  { userId, organizationIds, projectIds, shortId }: StreamFrameQuery,
): Promise<StreamFrame> {
  const reached = sql`(${sql.join(orNone(projectIds))})`
  const { rows } = await sql<FrameRow>`select
    (select json_group_array(json_object('id', id, 'slug', slug, 'name', name, 'platform', platform,
       'lastNumber', last_issue_number, 'reopenedCount', reopened_count, 'isBuiltIn', is_built_in))
     from (select id, slug, name, platform, last_issue_number, reopened_count, is_built_in
       from projects where id in ${reached} order by name, id)) as projects,
    (select count(*) from (select 1 from issues
     where project_id = (select id from projects where is_built_in = 1 and id in ${reached}) and status = 'unresolved'
     limit ${limits.countedIssues + 1})) as own_unresolved,
    exists (select 1 from projects p join environments e on e.project_id = p.id
     where p.id in ${reached} and p.is_built_in = 0) as has_others,
    (select json_group_array(name)
     from (select distinct name from environments where project_id in ${reached} order by name)) as environments,
    (select json_group_array(json_object('id', s.id, 'name', s.name, 'search', json(s.search), 'isOwn', s.user_id = ${userId},
       'isShared', s.organization_id is not null, 'organizationId', s.organization_id, 'isDefault', s.is_default))
     from (${selectSavedSearches(userId, organizationIds)}) s) as saved_searches,
    (select json_group_array(json_object('userId', id, 'name', name))
     from (${selectPeople(organizationIds, reached)})) as people,
    ${shortId === undefined ? sql`null` : selectIssueOfShortId(shortId, projectIds)} as issue_id`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement without a table answers with one row')
  const environments = v.parse(v.array(v.string()), JSON.parse(row.environments))
  const projects = v.parse(v.array(frameProject), JSON.parse(row.projects))
  const builtIn = projects.find(({ isBuiltIn }) => isBuiltIn)?.name
  const unresolved = upTo(row.own_unresolved, false)
  return {
    projects: projects.map(({ name }) => name),
    marks: Object.fromEntries(projects.map(({ name, mark }) => [name.id, mark])),
    environments,
    ...(builtIn && { builtIn: { ...builtIn, unresolved } }),
    isEmptyInstallation: environments.length === 0,
    isEmptyBesidesOwn: row.has_others === 0,
    savedSearches: v.parse(v.array(savedSearch), JSON.parse(row.saved_searches)),
    people: v.parse(v.array(person), JSON.parse(row.people)),
    ...(row.issue_id !== null && { issueId: String(row.issue_id) }),
  }
}

interface FrameRow {
  projects: string
  own_unresolved: number
  has_others: number
  environments: string
  saved_searches: string
  people: string
  issue_id: number | null
}

/** A list in SQL has at least one member. */
function orNone(ids: readonly number[]): readonly number[] {
  return ids.length === 0 ? [-1] : ids
}

function selectSavedSearches(userId: string, organizationIds: readonly number[]): RawBuilder<unknown> {
  const columns = sql`id, name, search, user_id, organization_id`
  return sql`select ${columns}, id = (select search_id from default_searches where user_id = ${userId}) is true as is_default
    from (
      select ${columns} from saved_searches where user_id = ${userId}
      union
      select ${columns} from saved_searches where organization_id in (${sql.join([...orNone(organizationIds)])})
    ) order by name collate nocase, id`
}

function selectPeople(organizationIds: readonly number[], reached: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select distinct u.id, u.name from memberships m join users u on u.id = m.user_id
    where m.organization_id in (${sql.join([...orNone(organizationIds)])})
      and ${hasAccessToOneOf(reached)}
    order by u.name, u.id limit ${sql.lit(limits.assigneesShown)}`
}

const person = v.object({ userId: v.string(), name: v.string() })

const absent = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.nullable(schema),
    v.transform((value) => value ?? undefined),
  )

const frameProject = v.pipe(
  v.object({
    id: v.number(),
    slug: v.string(),
    name: v.string(),
    platform: absent(v.string()),
    lastNumber: v.number(),
    reopenedCount: v.number(),
    isBuiltIn: v.number(),
  }),
  v.transform(({ platform, lastNumber, reopenedCount, isBuiltIn, ...project }) => {
    const name: ProjectName = { ...project, ...(platform !== undefined && { platform }) }
    const mark: IssueMark = { lastNumber, reopenedCount }
    return { name, mark, isBuiltIn: isBuiltIn === 1 }
  }),
)

const text = v.optional(v.string())
/** One that this version does not know is as good as none. */
const known = <const Names extends readonly string[]>(names: Names) =>
  v.fallback(v.optional(v.picklist(names)), undefined)

const savedSearchText = v.object({
  q: text,
  status: known([...issueStatuses, 'all']),
  project: text,
  environment: text,
  sort: known(issueSorts),
  range: known(issueRanges),
  bars: known(barSpans),
})

const flag = v.pipe(
  v.number(),
  v.transform((value) => value === 1),
)

const savedSearch = v.pipe(
  v.object({
    id: v.string(),
    name: v.string(),
    search: savedSearchText,
    isOwn: flag,
    isShared: flag,
    organizationId: absent(v.number()),
    isDefault: flag,
  }),
  v.transform(({ organizationId, ...search }): SavedSearch => ({
    ...search,
    ...(organizationId !== undefined && { organizationId }),
  })),
)
