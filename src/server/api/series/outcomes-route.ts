import { count } from '#server/api/answer-schema.ts'
import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import { eventCategories, listProjectOutcomeSteps } from '#server/store/outcomes/outcomes.ts'
import { countPerStep } from '#time/time-steps.ts'
import { groupedSeries } from './grouped-series.ts'
import { readSteps, stepParameters, toIntervals } from './read-steps.ts'

const fields = ['sum(quantity)', 'sum(times_seen)'] as const
const groupings = ['outcome', 'reason', 'category', 'project'] as const
type Grouping = (typeof groupings)[number]

/** Received items and their outcomes over time. */
export const outcomesRoute: ApiRoute = {
  method: 'GET',
  path: '/organizations/{org}/stats_v2/',
  scope: 'org:read',
  summary: 'Received items and their outcomes over time, as on the page “Ingestion”.',
  query: {
    ...stepParameters,
    field:
      '`sum(quantity)` or `sum(times_seen)`, repeated. Culvert counts items: both are the same. Default: `sum(quantity)`.',
    groupBy: '`outcome`, `reason`, `category` or `project`, repeated.',
    category: 'A data category, repeated. `error` includes messages and security reports.',
    outcome: '`accepted`, `filtered`, `rate_limited`, `invalid`, `abuse`, `client_discard`, repeated.',
    reason: 'A reason, repeated.',
    project: 'A project’s id or slug, repeated; -1: all.',
  },
  answers: groupedSeries(count),
  handle: answerOutcomes,
}

async function answerOutcomes(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return notFoundAnswer
  const parameters = call.url.searchParams
  const names = parameters.getAll('field')
  const wanted = names.length === 0 ? ['sum(quantity)'] : names
  const unknownField = wanted.find((name) => !fields.some((field) => field === name))
  if (unknownField !== undefined)
    return errorAnswer(400, `field is ${fields.join(' or ')}, not "${unknownField}".`)
  const groupBy = parameters.getAll('groupBy')
  const unknownGrouping = groupBy.find((name) => !isGrouping(name))
  if (unknownGrouping !== undefined)
    return errorAnswer(400, `groupBy is ${groupings.join(', ')}, not "${unknownGrouping}".`)
  const steps = readSteps(call)
  if (!steps.ok) return steps.error
  const { since, until, stepMs } = steps.value
  const counted = await listProjectOutcomeSteps(call.services.store.db, {
    projectIds: scope.projectIds,
    since,
    until,
    stepMs,
  })
  const isAmong = (name: string, value: string) => {
    const values = parameters.getAll(name)
    return values.length === 0 || values.includes(value)
  }
  const chosen = counted.filter(
    ({ category, outcome, reason }) =>
      (isAmong('category', category) ||
        (eventCategories.includes(category) && isAmong('category', 'error'))) &&
      isAmong('outcome', outcome) &&
      isAmong('reason', reason),
  )
  const keys = groupBy.filter(isGrouping)
  const groups = Map.groupBy(chosen, (row) => JSON.stringify(keys.map((key) => row[key])))
  return answer({
    start: new Date(since).toISOString(),
    end: new Date(until).toISOString(),
    intervals: toIntervals(steps.value),
    groups: [...groups.values()].map((rows) => {
      const series = countPerStep(
        rows.map(({ startAt, quantity }) => [startAt, quantity] as const),
        steps.value,
      )
      const total = series.reduce((sum, each) => sum + each, 0)
      return {
        by: Object.fromEntries(keys.map((key) => [key, rows[0]?.[key] ?? ''])),
        totals: Object.fromEntries(wanted.map((field) => [field, total])),
        series: Object.fromEntries(wanted.map((field) => [field, series])),
      }
    }),
  })
}

function isGrouping(name: string): name is Grouping {
  return groupings.some((grouping) => grouping === name)
}
