import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { SearchTerm } from '#search/search-term.ts'
import { limits } from '#server/limits.ts'
import { matchesTag, tagMatches } from './issue-tag-match.ts'
import { issueStatuses } from './issue-views.ts'
import type { IssueSort } from './issue-views.ts'
import type { Database } from './schema.ts'

/**
 * Where reading a list of issues can begin other than at the index of its order: with the issues that fulfil one term, or that
 * happened lately. Worth it when they are few; they are then sorted.
 */
export interface IssueStart {
  /** The term that all of these issues fulfil; absent where they are those that happened lately. */
  term?: SearchTerm
  /** At most one more than are few. */
  countSql: RawBuilder<number>
  most: number
  /** True for a row of `issues` among them. */
  isAmong: RawBuilder<boolean>
}

/** Where reading begins, and what is known of the other terms by having counted them. */
export interface ChosenStart extends IssueStart {
  /** Terms of words that few issues have, too: found where words begin, as they are where reading begins with them. */
  rareWords: readonly IssueStart[]
}

/** What of a list says where reading it could begin. */
export interface StartQuery {
  terms?: readonly SearchTerm[]
  /** Those that the reader reaches. */
  projectIds: readonly number[]
  sort?: IssueSort
  /** Only issues that happened since, in Unix milliseconds. */
  since?: number
}

/** Where reading had best begin, if not at the index of its order. At most one statement. */
export async function readIssueStart(
  db: Kysely<Database>,
  query: StartQuery,
): Promise<ChosenStart | undefined> {
  const starts = listIssueStarts(query)
  if (starts.length === 0) return undefined
  const counts = starts.map(({ countSql }) => sql`select ${countSql} as issue_count`)
  const { rows } = await sql<{ issue_count: number }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return chooseIssueStart(
    starts,
    rows.map(({ issue_count }) => issue_count),
  )
}

/** Where reading could begin. */
export function listIssueStarts(query: StartQuery): IssueStart[] {
  const { terms = [], sort = 'last_seen', since } = query
  const ofTerms = terms.flatMap((term) => {
    const start = term.isNegated ? undefined : findStart(term)
    return start === undefined ? [] : [start]
  })
  // The index of what happened last begins with them anyway.
  if (since === undefined || sort === 'last_seen') return ofTerms
  return [...ofTerms, startFromRecent(query.projectIds, since)]
}

/**
 * The start with the fewest issues, given what each counted; undefined when none has few. Those that happened lately only where
 * no term has few.
 */
export function chooseIssueStart(
  starts: readonly IssueStart[],
  counts: readonly number[],
): ChosenStart | undefined {
  const few = starts
    .map((start, at) => ({ start, count: counts[at] ?? Number.POSITIVE_INFINITY }))
    .filter(({ start, count }) => count <= start.most)
    .toSorted((one, other) => one.count - other.count)
    .map(({ start }) => start)
  const chosen = few.find(({ term }) => term !== undefined) ?? few[0]
  if (chosen === undefined) return undefined
  const rareWords = few.filter((start) => start !== chosen && start.term?.condition.kind === 'text')
  return { ...chosen, rareWords }
}

function findStart(term: SearchTerm): IssueStart | undefined {
  const { condition } = term
  if (condition.kind === 'text') return startFromText(term, condition)
  if (condition.kind !== 'tag' || condition.key === 'environment') return undefined
  const matches = tagMatches(condition)
  // Which release that is depends on the project.
  if (condition.key === 'release' && matches.some(({ text }) => text === 'latest')) return undefined
  const most = limits.rareTagIssues
  const rows = sql.join(
    matches.map((match) => sql`select t.issue_id from issue_tags t where ${matchesTag(match)}`),
    sql` union all `,
  )
  return {
    term,
    most,
    countSql: sql<number>`(select count(*) from (${rows} limit ${most + 1}))`,
    // By the id alone, which is unique: SQLite looks pairs up one by one only in a simple query.
    isAmong: sql`issues.id in (${rows})`,
  }
}

function startFromText(
  term: SearchTerm,
  condition: Extract<SearchTerm['condition'], { kind: 'text' }>,
): IssueStart {
  const most = limits.rareTextIssues
  const rows = sql`select rowid from issue_texts where issue_texts match ${toMatch(condition)}`
  return {
    term,
    most,
    countSql: sql<number>`(select count(*) from (${rows} limit ${most + 1}))`,
    isAmong: sql`issues.id in (${rows})`,
  }
}

/** A query of FTS5: the words of the text side by side; the last one may go on, unless it stood between quotes. */
function toMatch({ text, isPhrase, in: column }: Extract<SearchTerm['condition'], { kind: 'text' }>): string {
  const phrase = `"${text.replaceAll('"', '""').replaceAll('\0', ' ')}"${isPhrase ? '' : ' *'}`
  return column === undefined ? phrase : `{${column}} : ${phrase}`
}

function startFromRecent(projectIds: readonly number[], since: number): IssueStart {
  const most = limits.rareRecentIssues
  const rows = sql`select r.id from issues r where r.project_id in (${sql.join([...projectIds])})
    and r.status in (${sql.join([...issueStatuses])}) and r.last_seen_at >= ${since}`
  return {
    most,
    countSql: sql<number>`(select count(*) from (${rows} limit ${most + 1}))`,
    isAmong: sql`issues.id in (${rows})`,
  }
}
