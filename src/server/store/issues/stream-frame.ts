import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import { sortByName } from '#server/store/name-order.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import { toProjectName } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { Db } from '#server/store/schema/database.ts'
import { listAssignees } from '#server/store/triage/choices.ts'
import { findIssueByShortId, type ShortId } from '#server/store/triage/merged-issue.ts'
import type { IssueMark, Person, StatusCount, StoredSearch } from './records.ts'
import { listSavedSearches } from './saved-searches.ts'
import { upTo } from './search/status-counts.ts'

/** The user of the stream. */
export interface StreamReader {
  userId: string
  organizationIds: readonly number[]
  projectIds: readonly number[]
}

export interface StreamFrameQuery extends StreamReader {
  /** A short id that the search may contain: a project's slug and an issue number. */
  shortId?: ShortId
}

/** The project that Culvert reports its own errors to. */
export interface BuiltInProject extends ProjectName {
  /** Its number of unresolved issues. */
  unresolved: StatusCount
}

/** The data of the stream outside of its rows. */
export interface StreamFrame {
  /** By name. */
  projects: ProjectName[]
  /** By project. */
  marks: Record<number, IssueMark>
  /** The environments of all projects, in alphabetical order. */
  environments: string[]
  /** Culvert's own project, if the reader has access to it. */
  builtIn?: BuiltInProject
  /** True if no project has ever stored an event. */
  isEmptyInstallation: boolean
  /** True if no project except Culvert's own has ever stored an event. */
  isEmptyBesidesOwn: boolean
  /** The reader's own searches and the shared ones of the organizations, by name. */
  savedSearches: StoredSearch[]
  /** Users with access to one of the projects, by name, at most `limits.assigneesShown`. */
  people: Person[]
  /** The issue with the short id. */
  issueId?: string
}

/** Reads everything that the stream shows outside of its rows, in one round of statements. */
export async function readStreamFrame(
  db: Db,
  { userId, organizationIds, projectIds, shortId }: StreamFrameQuery,
): Promise<StreamFrame> {
  const [projects, ownUnresolved, environments, savedSearches, people, issueId] = await Promise.all([
    projectsById(db, { projectIds }),
    countOwnUnresolved(db, projectIds),
    environmentsByName(db, { projectIds }),
    listSavedSearches(db, { userId, organizationIds }),
    listAssignees(db, projectIds),
    shortId && findIssueByShortId(db, { ...shortId, projectIds }),
  ])
  const builtIn = projects.find((row) => row.is_built_in === 1)
  return {
    projects: sortByName(projects.map(toProjectName), ({ name }) => name),
    marks: Object.fromEntries(projects.map((row) => [row.id, toMark(row)])),
    environments: sortByName(environments, ({ name }) => name).map(({ name }) => name),
    ...(builtIn && { builtIn: { ...toProjectName(builtIn), unresolved: upTo(ownUnresolved, false) } }),
    isEmptyInstallation: environments.every((row) => row.event_count === 0),
    isEmptyBesidesOwn: environments.every((row) => row.others_event_count === 0),
    savedSearches,
    people,
    ...(issueId !== undefined && { issueId: String(issueId) }),
  }
}

interface ProjectsQuery {
  projectIds: readonly number[]
}

const projectsById = prepareQuery((db, { projectIds }: ProjectsQuery) =>
  db
    .selectFrom('projects')
    .select(['id', 'slug', 'name', 'platform', 'last_issue_number', 'reopened_count', 'is_built_in'])
    .where('id', 'in', projectIds)
    .orderBy('name')
    .orderBy('id'),
)

function toMark(row: { last_issue_number: number; reopened_count: number }): IssueMark {
  return { lastNumber: row.last_issue_number, reopenedCount: row.reopened_count }
}

/** The project is a subquery: for a join, PostgreSQL would read the unresolved issues of all projects. */
const ownUnresolvedCount = prepareQuery((db, { projectIds }: ProjectsQuery) => {
  const builtIn = db
    .selectFrom('projects')
    .select('id')
    .where('is_built_in', '=', sql.lit(1))
    .limit(sql.lit(1))
  const unresolved = db
    .selectFrom('issues')
    .select('id')
    .where('project_id', 'in', projectIds)
    .where('project_id', '=', builtIn)
    .where('status', '=', sql.lit('unresolved'))
    .limit(sql.lit(limits.countedIssues + 1))
  return db.selectFrom(unresolved.as('unresolved')).select((of) => of.fn.countAll<number>().as('count'))
})

async function countOwnUnresolved(db: Db, projectIds: readonly number[]): Promise<number> {
  const [row] = await ownUnresolvedCount(db, { projectIds })
  return row?.count ?? 0
}

/** All environments by name, with their event counts, in total and outside of Culvert's own project. */
const environmentsByName = prepareQuery((db, { projectIds }: ProjectsQuery) =>
  db
    .selectFrom('projects as p')
    .innerJoin('environments as e', 'e.project_id', 'p.id')
    .select('e.name')
    .select((of) => [
      of.fn.sum<number>('e.event_count').as('event_count'),
      of.fn.sum<number>(sql`e.event_count * (1 - p.is_built_in)`).as('others_event_count'),
    ])
    .where('p.id', 'in', projectIds)
    .groupBy('e.name')
    .orderBy('e.name'),
)
