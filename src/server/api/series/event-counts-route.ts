import * as v from 'valibot'
import { count } from '#server/api/answer-schema.ts'
import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import { eventCategories, listProjectOutcomeSteps } from '#server/store/outcomes/outcomes.ts'
import { countPerStep } from '#time/time-steps.ts'
import { readSteps, toIntervalTimes } from './read-steps.ts'

/** The outcomes of each statistic. `received` has all of them. */
const outcomesOf = new Map<string, readonly string[]>([
  ['generated', ['accepted']],
  ['blacklisted', ['filtered']],
  ['rejected', ['rate_limited', 'abuse']],
  ['received', ['accepted', 'filtered', 'rate_limited', 'abuse', 'invalid']],
])

/** Counts of a project's events over time, in the format before `stats_v2`, which exporters still request. */
export const eventCountsRoute: ApiRoute = {
  method: 'GET',
  path: '/projects/{org}/{project}/stats/',
  scope: 'project:read',
  summary: 'The number of events of a project over time: `[second, count]`, oldest first.',
  query: {
    stat: '`received`, `generated` (stored), `blacklisted` (filtered) or `rejected` (rate-limited). Default: `received`.',
    since: 'Unix seconds. Default: a day before `until`.',
    until: 'Unix seconds. Default: now.',
    resolution: '`1h` or `1d`. Counts are stored per hour, so `10s` is `1h`. Default: `1h`.',
  },
  answers: v.array(v.tuple([count, count])),
  handle: answerEventCounts,
}

async function answerEventCounts(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return notFoundAnswer
  const { searchParams } = call.url
  const outcomes = outcomesOf.get(searchParams.get('stat') || 'received')
  if (outcomes === undefined)
    return errorAnswer(400, `Unknown stat: use ${[...outcomesOf.keys()].join(', ')}.`)
  const url = toSeriesUrl(call.url)
  if (url === undefined) return errorAnswer(400, 'since and until are Unix seconds.')
  const steps = readSteps({ ...call, url })
  if (!steps.ok) return steps.error
  const { since, until, stepMs } = steps.value
  const query = { projectIds: scope.projectIds, since, until, stepMs }
  const counted = await listProjectOutcomeSteps(call.services.store.db, query)
  const chosen = counted.filter(
    ({ category, outcome }) => eventCategories.includes(category) && outcomes.includes(outcome),
  )
  const counts = countPerStep(
    chosen.map(({ startAt, quantity }) => [startAt, quantity] as const),
    steps.value,
  )
  return answer(toIntervalTimes(steps.value).map((at, step) => [at / 1_000, counts[step]]))
}

/** The address with the parameters of the other series. Undefined for an invalid time. */
function toSeriesUrl(from: URL): URL | undefined {
  const url = new URL(from)
  const { searchParams } = url
  searchParams.set('interval', searchParams.get('resolution') || '1h')
  for (const [name, given] of [
    ['start', searchParams.get('since')],
    ['end', searchParams.get('until')],
  ] as const) {
    if (!given) continue
    const at = new Date(Number(given) * 1_000)
    if (Number.isNaN(at.getTime())) return undefined
    searchParams.set(name, at.toISOString())
  }
  return url
}
