import { allOf, listConditions } from '#search/expression.ts'
import type { SearchExpression } from '#search/term.ts'
import { notFoundAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import { readIssueQuery } from '#server/api/issues/query.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import type { ReadParameters } from '#server/api/read-cursor.ts'
import { limits } from '#server/limits.ts'
import { countIssueEvents } from '#server/store/issues/counted-events.ts'
import type { IssueKey, IssueSummary } from '#server/store/issues/records.ts'
import { listIssues } from '#server/store/issues/search/issue-list.ts'
import { readSteps, type SeriesSteps } from './read-steps.ts'

/** An issue, and its number of events in the requested range. */
export interface CountedIssue {
  issue: IssueSummary
  key: IssueKey
  eventCount: number
}

/** The issues that a request selects, with their numbers of events in its range. */
export interface CountedIssues {
  /** Issues with events in the range, most events first. */
  issues: CountedIssue[]
  steps: SeriesSteps
  environments: string[]
}

/**
 * Reads the issues that `query`, `project` and `environment` select and counts their events in the range: at
 * most `limits.apiPageIssues`, those with the most events.
 */
export async function readCountedIssues(call: ApiCall): Promise<ReadParameters<CountedIssues>> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return { ok: false, error: notFoundAnswer }
  const steps = readSteps(call)
  if (!steps.ok) return steps
  const query = readIssueQuery(call, { query: '', projects: scope.projects, hasPeriod: true })
  if (!query.ok) return query
  const { db } = call.services.store
  const { filter, statuses } = query.value
  const { issues } = await listIssues(db, {
    ...filter,
    expression: withoutProblems(filter.expression),
    statuses,
    counted: statuses,
    sort: 'events',
    bars: '24h',
    limit: limits.apiPageIssues,
  })
  const { since, until } = steps.value
  const environments = call.url.searchParams.getAll('environment').filter((name) => name !== '')
  const keyed = issues.map((issue) => ({
    issue,
    key: { projectId: issue.project.id, issueId: Number(issue.id) },
  }))
  const counts = await countIssueEvents(
    db,
    keyed.map(({ key }) => key),
    { since, until, environments },
  )
  const counted = keyed.map((each) => Object.assign(each, { eventCount: counts.get(each.key.issueId) ?? 0 }))
  return {
    ok: true,
    value: {
      issues: counted
        .filter(({ eventCount }) => eventCount > 0)
        .toSorted((one, other) => other.eventCount - one.eventCount),
      steps: steps.value,
      environments,
    },
  }
}

/**
 * Excludes performance problems, which are neither errors nor counted like them, unless the search is for
 * types of events.
 */
function withoutProblems(expression: SearchExpression): SearchExpression {
  if (listConditions(expression).some(({ kind }) => kind === 'type')) return expression
  return allOf([
    expression,
    { kind: 'not', of: { kind: 'term', condition: { kind: 'type', types: ['performance'] } } },
  ])
}

/** The name of a field, without the parentheses and the sign of the order: `-count()` is `count`. */
export function toFieldName(text: string): string {
  return text.replace(/^-/, '').replace(/\(\)$/, '')
}

/** The fields with one value per issue. */
const issueFields: Record<string, (issue: IssueSummary) => string | number> = {
  title: ({ title, subtitle }) => (subtitle === '' ? title : `${title}: ${subtitle}`),
  issue: ({ shortId }) => shortId,
  'issue.id': ({ id }) => Number(id),
  culprit: ({ culprit }) => culprit,
  project: ({ project }) => project.slug,
  'project.name': ({ project }) => project.slug,
  'project.id': ({ project }) => project.id,
  level: ({ level }) => level,
  'event.type': ({ type }) => type,
  platform: ({ platform }) => platform,
  release: ({ lastRelease }) => lastRelease ?? '',
}

/** Returns the reader of an issue's field; undefined for unknown names. */
export function findIssueField(name: string): ((issue: IssueSummary) => string | number) | undefined {
  return Object.hasOwn(issueFields, name) ? issueFields[name] : undefined
}

/** The names of the fields, for error messages. */
export const issueFieldNames = Object.keys(issueFields)

/** Groups issues by the values of fields, most events first. */
export function groupIssues(
  issues: readonly CountedIssue[],
  fields: readonly string[],
): { values: (string | number)[]; issues: CountedIssue[]; eventCount: number }[] {
  const readers = fields.flatMap((name) => findIssueField(name) ?? [])
  const valuesOf = ({ issue }: CountedIssue) => readers.map((read) => read(issue))
  const groups = Map.groupBy(issues, (each) => JSON.stringify(valuesOf(each)))
  return [...groups.values()]
    .map((members) => {
      const [first] = members
      return {
        values: first === undefined ? [] : valuesOf(first),
        issues: members,
        eventCount: members.reduce((sum, { eventCount }) => sum + eventCount, 0),
      }
    })
    .toSorted((one, other) => other.eventCount - one.eventCount)
}
