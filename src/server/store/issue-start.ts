import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { SearchCondition, SearchTerm } from '#search/search-term.ts'
import { limits } from '#server/limits.ts'
import { issueCondition } from './issue-conditions.ts'
import type { SearchContext } from './issue-conditions.ts'
import { matchesTag, tagMatches } from './issue-tag-match.ts'
import { issueStatuses } from './issue-views.ts'
import type { IssueSort } from './issue-views.ts'
import type { Database } from './schema.ts'

/**
 * Where reading a list of issues can begin other than at the index of its order: with the issues that fulfil one term, or that
 * happened lately. Worth it when they are few: they are then sorted, and all of them are asked.
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
export interface StartQuery extends SearchContext {
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
    const start = term.isNegated ? undefined : findStart(term, query)
    return start === undefined ? [] : [start]
  })
  // The index of what happened last begins with them anyway.
  if (since === undefined || sort === 'last_seen') return ofTerms
  return [...ofTerms, startFromIndex(query, sql`issues.last_seen_at >= ${since}`)]
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

function findStart(term: SearchTerm, query: StartQuery): IssueStart | undefined {
  const { condition } = term
  switch (condition.kind) {
    case 'text':
      return startFromText(term, condition)
    case 'tag':
      return startFromTag(term, condition)
    case 'assignee':
      return startFromAssignees(term, condition, query)
    case 'new':
    case 'count':
    case 'seen':
      return { ...startFromIndex(query, issueCondition(term, query)), term }
    // No index leads to the first three; the others decide which one is walked.
    case 'has':
    case 'level':
    case 'regressed':
    case 'project':
    case 'status':
      break
  }
  return undefined
}

function startFromTag(term: SearchTerm, condition: Condition<'tag'>): IssueStart | undefined {
  if (condition.key === 'environment') return undefined
  const matches = tagMatches(condition)
  // Which release that is depends on the project.
  if (condition.key === 'release' && matches.some(({ text }) => text === 'latest')) return undefined
  const ofEach = matches.map((match) => sql`select t.issue_id from issue_tags t where ${matchesTag(match)}`)
  return { term, ...startFrom(sql.join(ofEach, sql` union all `), limits.rareTagIssues) }
}

function startFromText(term: SearchTerm, condition: Condition<'text'>): IssueStart {
  const ids = sql`select rowid from issue_texts where issue_texts match ${toMatch(condition)}`
  return { term, ...startFrom(ids, limits.rareTextIssues) }
}

/** A query of FTS5: the words of the text side by side; the last one may go on, unless it stood between quotes. */
function toMatch({ text, isPhrase, in: column }: Condition<'text'>): string {
  const phrase = `"${text.replaceAll('"', '""').replaceAll('\0', ' ')}"${isPhrase ? '' : ' *'}`
  return column === undefined ? phrase : `{${column}} : ${phrase}`
}

/** By the index of those that somebody has; what is assigned to nobody, or to anybody at all, is not few. */
function startFromAssignees(
  term: SearchTerm,
  { assignees }: Condition<'assignee'>,
  { userId }: SearchContext,
): IssueStart | undefined {
  const userIds = assignees.flatMap((assignee) => {
    if (assignee.kind === 'me') return [sql`${userId}`]
    return assignee.kind === 'email' ? [sql`(select id from users where email = ${assignee.email})`] : []
  })
  if (userIds.length < assignees.length) return undefined
  const ids = sql`select a.id from issues a where a.assignee_id in (${sql.join(userIds)})`
  return { term, ...startFrom(ids, limits.fewAssignedIssues) }
}

/** With a number or a time in a range that an index of each project has. */
function startFromIndex({ projectIds }: StartQuery, isInRange: RawBuilder<boolean>): IssueStart {
  const ids = sql`select issues.id from issues where issues.project_id in (${sql.join([...projectIds])})
    and issues.status in (${sql.join([...issueStatuses])}) and ${isInRange}`
  return startFrom(ids, limits.rareRangeIssues)
}

/** By the ids alone, which are unique: SQLite looks pairs up one by one only in a simple query. */
function startFrom(ids: RawBuilder<unknown>, most: number): IssueStart {
  return {
    most,
    countSql: sql<number>`(select count(*) from (${ids} limit ${most + 1}))`,
    isAmong: sql`issues.id in (${ids})`,
  }
}

type Condition<Kind extends SearchCondition['kind']> = Extract<SearchCondition, { kind: Kind }>
