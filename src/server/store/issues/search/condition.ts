import { sql, type RawBuilder } from 'kysely'
import { hasNamedBuild, parseReleaseVersion } from '#protocol/release-version.ts'
import type {
  SearchCondition,
  SearchExpression,
  SearchedAssignee,
  SearchedField,
  SearchedInstant,
  SearchedIssue,
  SearchedState,
} from '#search/term.ts'
import { formOf, matchesPattern, type ValuePattern } from '#search/value-pattern.ts'
import { limits } from '#server/limits.ts'
import { isEscalating } from '#server/store/issues/labels.ts'
import { selectIssueOfShortId } from '#server/store/triage/merged-issue.ts'
import { hourOf } from '#time/time-steps.ts'
import { containsText, either, hasForm, selectByWord } from './match-sql.ts'
import { latestRelease, tagGroups } from './tag-groups.ts'

type Condition<Kind extends SearchCondition['kind']> = Extract<SearchCondition, { kind: Kind }>

/** The context of a search. */
export interface SearchContext {
  /** The user who searches, for `assigned:me`. */
  userId: string
  /** Projects that the user has access to and that can have matching issues. */
  projects: readonly { id: number; slug: string }[]
  /** Unix milliseconds. */
  now: number
  /** Words of few issues, which are looked up in the full-text index. Others are matched with rows. */
  rareWords: ReadonlySet<SearchCondition>
}

/**
 * An expression as SQL on a row of `issues`. It reads the row, or seeks in an index that begins with the
 * issue, because it is evaluated issue by issue. Never null.
 */
export function expressionSql(expression: SearchExpression, context: SearchContext): RawBuilder<boolean> {
  switch (expression.kind) {
    case 'term':
      return conditionSql(expression.condition, context)
    case 'not':
      return sql`not ${expressionSql(expression.of, context)}`
    case 'any':
      return either(expression.of.map((each) => expressionSql(each, context)))
    case 'all':
      break
  }
  if (expression.of.length === 0) return sql`true`
  return sql`(${sql.join(
    expression.of.map((each) => expressionSql(each, context)),
    sql` and `,
  )})`
}

/** A condition as SQL on a row of `issues`. */
export function conditionSql(condition: SearchCondition, context: SearchContext): RawBuilder<boolean> {
  switch (condition.kind) {
    case 'status':
      return isOneOf(sql`issues.status`, condition.statuses)
    case 'level':
      return isOneOf(sql`issues.level`, condition.levels)
    case 'type':
      return isOneOf(sql`issues.type`, condition.types)
    case 'project':
      return isOneOf(sql`issues.project_id`, listMatchingProjects(condition, context.projects))
    case 'state':
      return isInState(condition.state)
    case 'assignee':
      return either(condition.assignees.map((assignee) => isAssigned(assignee, context.userId)))
    case 'field':
      return hasField(condition.field, condition.values)
    case 'count':
      return isCounted(condition)
    case 'seen':
      return isSeen(condition, context.now)
    case 'happened':
      return hasHappened(condition, context.now)
    case 'issue':
    case 'event':
      return sql`issues.id in (${selectNamedIssues(condition, context)})`
    case 'tag':
    case 'trait':
      return either(tagGroups(condition).map(({ table, matches }) => existsOf(table, matches)))
    case 'version':
      return hasVersion(condition)
    case 'text':
      break
  }
  return context.rareWords.has(condition)
    ? sql`issues.id in (${selectByWord(condition)})`
    : containsText(condition)
}

function isOneOf(column: RawBuilder<unknown>, values: readonly (string | number)[]): RawBuilder<boolean> {
  return values.length === 0 ? sql`false` : sql`${column} in (${sql.join([...values])})`
}

/** The ids of the projects that a condition names. */
export function listMatchingProjects(
  { by, values }: Condition<'project'>,
  projects: SearchContext['projects'],
): number[] {
  const named = projects.filter((project) =>
    values.some((value) => matchesPattern(by === 'id' ? String(project.id) : project.slug, value)),
  )
  return named.map(({ id }) => id)
}

function isInState(state: SearchedState): RawBuilder<boolean> {
  const reopenCondition = sql`coalesce(issues.reopen_condition, '')`
  switch (state) {
    case 'regressed':
      return sql`issues.is_regressed = 1`
    case 'escalating':
      return isEscalating('issues')
    case 'waits_for_escalation':
      return sql`${reopenCondition} like '%"hourLimit"%'`
    case 'waits':
      return sql`(issues.reopen_condition is not null and ${reopenCondition} not like '%"hourLimit"%')`
    case 'closed_for_good':
      break
  }
  return sql`issues.reopen_condition is null`
}

function isAssigned(assignee: SearchedAssignee, userId: string): RawBuilder<boolean> {
  switch (assignee.kind) {
    case 'me':
      return sql`coalesce(issues.assignee_id = ${userId}, false)`
    case 'none':
      return sql`issues.assignee_id is null`
    case 'anyone':
      return sql`issues.assignee_id is not null`
    case 'email':
      return sql`coalesce(issues.assignee_id = (select id from users where email = ${assignee.email}), false)`
    case 'name':
      break
  }
  // SQLite folds the case of ASCII letters only, so a name also matches exactly as it is written.
  const isNamed = sql`name = ${assignee.name} or lower(name) = ${assignee.name.toLowerCase()}`
  return sql`coalesce(issues.assignee_id in (select id from users where ${isNamed}), false)`
}

const fieldColumns = {
  platform: sql<string>`issues.platform`,
  firstRelease: sql<string>`issues.first_release`,
  regressedInRelease: sql<string>`issues.regressed_release`,
} as const satisfies Record<SearchedField, RawBuilder<string>>

function hasField(field: SearchedField, values: readonly ValuePattern[]): RawBuilder<boolean> {
  const column = fieldColumns[field]
  const conditions = values.map((value) => {
    const form = formOf(value)
    const isLatest = field !== 'platform' && form.kind === 'exact' && form.text === 'latest'
    return isLatest ? sql<boolean>`${column} = ${latestRelease}` : hasForm(column, form)
  })
  return sql`coalesce(${either(conditions)}, false)`
}

function isCounted({ of, min, max }: Condition<'count'>): RawBuilder<boolean> {
  const column = sql.ref(of === 'users' ? 'issues.user_count' : 'issues.event_count')
  return isWithin(column, { from: min ?? 0, upTo: (max ?? Number.MAX_SAFE_INTEGER - 1) + 1 })
}

function isSeen({ which, from, to }: Condition<'seen'>, now: number): RawBuilder<boolean> {
  const column = sql.ref(which === 'first' ? 'issues.first_seen_at' : 'issues.last_seen_at')
  return isWithin(column, rangeOf({ from, to }, now))
}

function isWithin(
  column: RawBuilder<unknown>,
  { from, upTo }: { from: number; upTo: number },
): RawBuilder<boolean> {
  return sql`(${column} >= ${from} and ${column} < ${upTo})`
}

function rangeOf(
  { from, to }: { from: SearchedInstant | undefined; to: SearchedInstant | undefined },
  now: number,
): { from: number; upTo: number } {
  const instant = (searched: SearchedInstant) => ('at' in searched ? searched.at : now - searched.agoMs)
  return {
    from: from === undefined ? 0 : instant(from),
    upTo: to === undefined ? Number.MAX_SAFE_INTEGER : instant(to),
  }
}

/** Events are counted per hour. A range without an end or without a beginning is exact. */
function hasHappened(condition: Condition<'happened'>, now: number): RawBuilder<boolean> {
  const { from, upTo } = rangeOf({ from: condition.from, to: condition.to }, now)
  const isNear = sql<boolean>`(issues.last_seen_at >= ${from} and issues.first_seen_at < ${upTo})`
  if (condition.from === undefined || condition.to === undefined) return isNear
  return sql`(${isNear} and exists (select 1 from issue_hours h where h.project_id = issues.project_id
    and h.issue_id = issues.id and h.hour >= ${hourOf(from)} and h.hour < ${upTo}))`
}

function existsOf(table: 'issue_tags' | 'issue_traits' | 'issue_environments', matches: RawBuilder<boolean>) {
  return sql<boolean>`exists (select 1 from ${sql.table(table)} t
    where t.project_id = issues.project_id and t.issue_id = issues.id and ${matches})`
}

function hasVersion({ comparison, version }: Condition<'version'>): RawBuilder<boolean> {
  const { order } = parseReleaseVersion(version)
  if (order === undefined) return sql`false`
  const isInRange = hasNamedBuild(order)
    ? isBeyondBuild({ comparison, version, order })
    : isBeyondVersion({ comparison, order })
  return sql`exists (select 1 from issue_tags t
    join releases r on r.project_id = t.project_id and r.version = t.value
    where t.project_id = issues.project_id and t.issue_id = issues.id and t.key = 'release'
      and r.version_order <> '' and ${isInRange})`
}

interface VersionBound extends Pick<Condition<'version'>, 'comparison'> {
  order: string
}

/** A version with a build is newer than the version without one, so `<=1.4` includes `1.4+52`. */
function isBeyondVersion({ comparison, order }: VersionBound): RawBuilder<boolean> {
  const beyondBuilds = `${order}\u{10ffff}`
  const bound = comparison === '>' || comparison === '<=' ? beyondBuilds : order
  return sql`r.version_order ${comparison.startsWith('>') ? sql`>=` : sql`<`} ${bound}`
}

/** Compares with a build that is not a number, such as `1.4+3e1c8b0`: with other such builds by date. */
function isBeyondBuild({
  comparison,
  version,
  order,
}: VersionBound & { version: string }): RawBuilder<boolean> {
  const isBeyond = comparison.startsWith('>') ? sql`>` : sql`<`
  const datedAt = sql`(select coalesce(b.released_at, b.created_at) from releases b
    where b.project_id = r.project_id
      and b.version = case r.package when '' then ${version} else r.package || '@' || ${version} end)`
  return sql`(r.version_order ${isBeyond} ${order} or (r.version_order = ${order}
    and coalesce(r.released_at, r.created_at) ${operators[comparison]} ${datedAt}))`
}

const operators = { '>': sql`>`, '>=': sql`>=`, '<': sql`<`, '<=': sql`<=` } as const

/** The projects of a search as an SQL list with at least one member. */
export function projectIdsOf({ projects }: Pick<SearchContext, 'projects'>): number[] {
  return projects.length === 0 ? [-1] : projects.map(({ id }) => id)
}

/** The ids of issues that are named by their own ids, or by those of events and traces. */
export function selectNamedIssues(
  condition: Condition<'issue'> | Condition<'event'>,
  context: SearchContext,
): RawBuilder<unknown> {
  const projectIds = projectIdsOf(context)
  if (condition.kind === 'issue') {
    const ids = condition.issues.map((issue) => sql`select ${selectIssue(issue, projectIds)} as issue_id`)
    return sql`select issue_id from (${sql.join(ids, sql` union all `)}) as named where issue_id is not null`
  }
  const column = condition.by === 'id' ? sql.ref('e.event_id') : sql.ref('e.trace_id')
  const ids = condition.ids.map((id) => Buffer.from(id, 'hex'))
  return sql`select issue_id from (select e.issue_id from events e where e.project_id in (${sql.join(projectIds)})
    and ${column} in (${sql.join(ids)}) limit ${limits.traceEventsSearched}) as found`
}

function selectIssue(issue: SearchedIssue, projectIds: readonly number[]): RawBuilder<unknown> {
  return 'id' in issue ? sql`cast(${issue.id} as bigint)` : selectIssueOfShortId(issue, projectIds)
}
