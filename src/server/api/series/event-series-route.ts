import * as v from 'valibot'
import { count } from '#server/api/answer-schema.ts'
import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { issueQueryParameters } from '#server/api/issues/list.ts'
import { limits } from '#server/limits.ts'
import { listGroupSteps } from '#server/store/issues/counted-events.ts'
import { countPerStep, minuteMs } from '#time/time-steps.ts'
import { findIssueField, groupIssues, issueFieldNames, readCountedIssues } from './counted-issues.ts'
import { stepParameters, type SeriesSteps } from './read-steps.ts'

const axes = ['count()', 'epm()', 'eps()'] as const
type Axis = (typeof axes)[number]

const pair = v.strictTuple([count, v.array(v.strictObject({ count: v.number() }))])
const seriesAnswer = v.strictObject({
  data: v.array(pair),
  start: count,
  end: count,
  order: v.optional(count),
})

/** A line of a chart: `[Unix seconds, [{count}]]` for each step. */
type Series = v.InferOutput<typeof seriesAnswer>

/** Events over time. */
export const eventSeriesRoute: ApiRoute = {
  method: 'GET',
  path: '/organizations/{org}/events-stats/',
  scope: 'event:read',
  summary: 'Events over time: of all selected issues, or a line for each value of fields.',
  query: {
    ...issueQueryParameters,
    ...stepParameters,
    yAxis: '`count()`, `epm()` or `eps()`, repeated. Left out: `count()`.',
    field: `What the lines are named by: ${issueFieldNames.join(', ')}.`,
    topEvents: `Lines, up to ${limits.apiTopSeries}: those with the most events.`,
  },
  answers: v.union([seriesAnswer, v.record(v.string(), v.unknown())]),
  handle: answerEventSeries,
}

async function answerEventSeries(call: ApiCall): Promise<ApiAnswer> {
  if (findMembership(call) === undefined) return notFoundAnswer
  const parameters = call.url.searchParams
  if (parameters.get('dataset') === 'spans') return answer({ data: [], start: 0, end: 0 })
  const asked = parameters.getAll('yAxis')
  const unknownAxis = asked.find((name) => !isAxis(name))
  if (unknownAxis !== undefined) return errorAnswer(400, `yAxis is ${axes.join(', ')}, not "${unknownAxis}".`)
  // Clients name the axes among the fields, too.
  const fields = parameters.getAll('field').filter((field) => !field.endsWith(')'))
  const unknown = fields.find((field) => findIssueField(field) === undefined)
  if (unknown !== undefined)
    return errorAnswer(400, `field is ${issueFieldNames.join(', ')}, not "${unknown}".`)
  const read = await readCountedIssues(call)
  if (!read.ok) return read.error
  const { issues, steps, environments } = read.value
  const top = Number(parameters.get('topEvents') || limits.apiTopSeries)
  if (!Number.isSafeInteger(top) || top < 1)
    return errorAnswer(400, `topEvents is a number from 1 to ${limits.apiTopSeries}.`)
  const groups =
    fields.length === 0
      ? [{ values: [], issues }]
      : groupIssues(issues, fields).slice(0, Math.min(top, limits.apiTopSeries))
  const counted = await listGroupSteps(
    call.services.store.db,
    groups.map((group) => group.issues.map(({ key }) => key)),
    { ...steps, environments },
  )
  const chosen = asked.filter(isAxis)
  const lines = groups.map((group, index) => {
    const pairs = counted.filter((row) => row.group === index)
    const counts = countPerStep(
      pairs.map(({ startAt, eventCount }) => [startAt, eventCount] as const),
      steps,
    )
    return { name: group.values.join(','), byAxis: toAxes(counts, { axes: chosen, steps, order: index }) }
  })
  if (fields.length === 0) return answer(lines[0]?.byAxis)
  return answer(Object.fromEntries(lines.map(({ name, byAxis }) => [name, byAxis])))
}

/** One series, or with several axes one for each, by its name. */
function toAxes(
  counts: readonly number[],
  { axes: chosen, steps, order }: { axes: readonly Axis[]; steps: SeriesSteps; order: number },
): Series | Record<string, Series> {
  const [first = 'count()', ...others] = chosen
  const seriesOf = (axis: Axis, at: number): Series => ({
    data: counts.map((each, step) => [
      (steps.since + step * steps.stepMs) / 1_000,
      [{ count: toValue(each, axis, steps.stepMs) }],
    ]),
    start: steps.since / 1_000,
    end: steps.until / 1_000,
    order: at,
  })
  if (others.length === 0) return seriesOf(first, order)
  return Object.fromEntries([first, ...others].map((axis, at) => [axis, seriesOf(axis, at)]))
}

function toValue(eventCount: number, axis: Axis, stepMs: number): number {
  if (axis === 'count()') return eventCount
  const perMinute = (eventCount / stepMs) * minuteMs
  return axis === 'epm()' ? perMinute : perMinute / 60
}

function isAxis(name: string): name is Axis {
  return axes.some((axis) => axis === name)
}
