import { sql, type RawBuilder } from 'kysely'
import type { SearchCondition, SearchedAssignee, SearchedInstant, SearchTerm } from '#search/search-term.ts'
import { matchesTag, tagMatches } from './issue-tag-match.ts'

/** What a search is read with. */
export interface SearchContext {
  /** Who asks: `me`. */
  userId: string
  /** Unix milliseconds. */
  now: number
}

/** How long an issue is new. */
const newIssueMs = 86_400_000

/**
 * What a term asks of a row of `issues`, as SQL. Reads the row, or seeks by an index that begins with the issue: it is
 * asked of one issue after the other. Statuses and projects are not asked here: they decide which index is walked.
 */
export function issueCondition(
  { condition, isNegated }: SearchTerm,
  context: SearchContext,
): RawBuilder<boolean> {
  const asked = conditionOf(condition, context)
  return isNegated ? sql`not (${asked})` : sql`(${asked})`
}

function conditionOf(condition: SearchCondition, { userId, now }: SearchContext): RawBuilder<boolean> {
  switch (condition.kind) {
    case 'status':
    case 'project':
      return sql`1`
    case 'regressed':
      return sql`issues.is_regressed = 1`
    case 'new':
      return sql`issues.first_seen_at >= ${now - newIssueMs}`
    case 'assignee':
      return either(condition.assignees.map((assignee) => isAssigned(assignee, userId)))
    case 'level':
      return sql`issues.level in (${sql.join(condition.levels)})`
    case 'count':
      return isBetween(condition.of === 'users' ? 'user_count' : 'event_count', condition)
    case 'seen':
      return isSeen(condition, now)
    case 'tag':
      return condition.key === 'environment' ? hasEnvironment(condition) : hasTag(condition)
    case 'has':
      return sql`exists (select 1 from issue_tags t
        where t.project_id = issues.project_id and t.issue_id = issues.id and t.key = ${condition.key})`
    case 'text':
      break
  }
  return containsText(condition)
}

function either(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql` or `)}`
}

function isAssigned(assignee: SearchedAssignee, userId: string): RawBuilder<boolean> {
  switch (assignee.kind) {
    case 'me':
      return sql`issues.assignee_id is ${userId}`
    case 'none':
      return sql`issues.assignee_id is null`
    case 'anyone':
      return sql`issues.assignee_id is not null`
    case 'email':
      break
  }
  return sql`coalesce(issues.assignee_id = (select id from users where email = ${assignee.email}), 0)`
}

function isBetween(
  column: 'event_count' | 'user_count',
  { min, max }: { min?: number; max?: number },
): RawBuilder<boolean> {
  const name = sql.ref(`issues.${column}`)
  return sql`${name} >= ${min ?? 0} and ${name} <= ${max ?? Number.MAX_SAFE_INTEGER}`
}

function isSeen(
  { which, from, to }: Extract<SearchCondition, { kind: 'seen' }>,
  now: number,
): RawBuilder<boolean> {
  const name = sql.ref(which === 'first' ? 'issues.first_seen_at' : 'issues.last_seen_at')
  const instant = (searched: SearchedInstant) => ('at' in searched ? searched.at : now - searched.agoMs)
  const first = from === undefined ? 0 : instant(from)
  const last = to === undefined ? Number.MAX_SAFE_INTEGER : instant(to)
  return sql`${name} >= ${first} and ${name} < ${last}`
}

type TagCondition = Extract<SearchCondition, { kind: 'tag' }>

function hasTag(condition: TagCondition): RawBuilder<boolean> {
  const ofIssue = sql`t.project_id = issues.project_id and t.issue_id = issues.id`
  return either(
    tagMatches(condition).map((match) =>
      match.key === 'release' && match.text === 'latest' && !match.isPrefix
        ? sql`exists (select 1 from issue_tags t where ${ofIssue} and t.key = 'release' and t.value = ${latestRelease})`
        : sql`exists (select 1 from issue_tags t where ${ofIssue} and ${matchesTag(match)})`,
    ),
  )
}

const latestRelease = sql<string>`(select r.version from releases r where r.project_id = issues.project_id
  order by coalesce(r.released_at, r.created_at) desc limit 1)`

/** Environments have a table of their own, which is always up to date. */
function hasEnvironment({ values }: TagCondition): RawBuilder<boolean> {
  return either(
    values.map(({ text, isPrefix }) => {
      const matches = isPrefix
        ? sql`v.environment >= ${text} and v.environment < ${`${text}\u{10ffff}`}`
        : sql`v.environment = ${text}`
      return sql`exists (select 1 from issue_environments v
        where v.project_id = issues.project_id and v.issue_id = issues.id and ${matches})`
    }),
  )
}

const textColumns = { title: 'title', value: 'subtitle', culprit: 'culprit', message: 'message' } as const

/** The text anywhere in the row. What only begins a word is found by `issue_texts`, where that is where reading begins. */
function containsText({
  text,
  ...condition
}: Extract<SearchCondition, { kind: 'text' }>): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  const columns = condition.in === undefined ? Object.values(textColumns) : [textColumns[condition.in]]
  return either(
    columns.map((column) => sql`coalesce(${sql.ref(`issues.${column}`)}, '') like ${pattern} escape '\\'`),
  )
}
