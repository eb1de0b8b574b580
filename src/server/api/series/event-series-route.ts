import * as v from 'valibot'
import { count } from '#server/api/answer-schema.ts'
import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { issueQueryParameters } from '#server/api/issues/list.ts'
import type { ReadParameters } from '#server/api/read-cursor.ts'
import { limits } from '#server/limits.ts'
import { issueFieldNames } from './counted-issues.ts'
import { eventAxes, readEventLines } from './event-lines.ts'
import { figureNames, subjectFieldNames } from './figure-cells.ts'
import { readFigureLines } from './figure-lines.ts'
import { stepParameters, type SeriesSteps } from './read-steps.ts'
import type { LinesQuery, SeriesLine, SeriesLines } from './series-lines.ts'

const pair = v.strictTuple([count, v.array(v.strictObject({ count: v.number() }))])
const seriesAnswer = v.strictObject({
  data: v.array(pair),
  start: count,
  end: count,
  order: v.optional(count),
})

/** A line of a chart: `[Unix seconds, [{count}]]` for each step. */
type Series = v.InferOutput<typeof seriesAnswer>

/** Query parameters of both routes of events over time, for the OpenAPI document. */
export const linesParameters = {
  ...issueQueryParameters,
  ...stepParameters,
  dataset: '`errors` or `discover`, which is the default, `transactions` or `spans` (their groups).',
  yAxis: `Repeated: ${eventAxes.join(', ')}. For transactions and spans: ${figureNames.join(', ')}, also with a duration, as in p95(span.duration). Default: \`count()\`.`,
  topEvents: `Number of series, up to ${limits.apiTopSeries}: the largest ones.`,
  sort: 'The order of series: a field by which they are grouped or, for transactions and spans, a function, with `-` for descending. Default: `-count()`.',
  excludeOther: '`0`: with a series of the rest. Only for transactions and spans.',
}

/** The fields that name lines, for the OpenAPI document. */
export const lineFields = `${issueFieldNames.join(', ')}. For transactions and spans: ${subjectFieldNames.join(', ')}.`

/** Events over time. */
export const eventSeriesRoute: ApiRoute = {
  method: 'GET',
  path: '/organizations/{org}/events-stats/',
  scope: 'event:read',
  summary: 'Events over time: of all selected issues, or a series for each value of the fields.',
  query: { ...linesParameters, field: `The fields by which series are grouped: ${lineFields}` },
  answers: v.union([seriesAnswer, v.record(v.string(), v.unknown())]),
  handle: answerEventSeries,
}

async function answerEventSeries(call: ApiCall): Promise<ApiAnswer> {
  if (findMembership(call) === undefined) return notFoundAnswer
  // Clients also list the axes as fields.
  const fields = call.url.searchParams.getAll('field').filter((field) => !field.endsWith(')'))
  const query = readLinesQuery(call, fields)
  if (!query.ok) return query.error
  const read = await readLines(call, query.value)
  if (!read.ok) return read.error
  const { lines, steps } = read.value
  if (fields.length === 0) return answer(lines[0] ? toAxes(lines[0], steps, 0) : emptySeries(steps))
  return answer(
    Object.fromEntries(
      lines.map((line, order) => [
        line.isOther === true ? 'Other' : line.values.join(','),
        toAxes(line, steps, order),
      ]),
    ),
  )
}

/** Parses the requested lines. Rejects an invalid number of lines. */
export function readLinesQuery(
  { url: { searchParams } }: ApiCall,
  groupBy: readonly string[],
): ReadParameters<LinesQuery> {
  const axes = searchParams.getAll('yAxis').filter((name) => name !== '')
  const top = Number(searchParams.get('topEvents') || limits.apiTopSeries)
  if (!Number.isSafeInteger(top) || top < 1)
    return {
      ok: false,
      error: errorAnswer(400, `topEvents is a number from 1 to ${limits.apiTopSeries}.`),
    }
  return {
    ok: true,
    value: {
      axes: axes.length === 0 ? ['count()'] : axes,
      groupBy,
      top: Math.min(top, limits.apiTopSeries),
      sort: searchParams.get('sort') ?? '',
      hasOther: searchParams.get('excludeOther') === '0',
    },
  }
}

/** The lines of the requested dataset. */
export function readLines(call: ApiCall, query: LinesQuery): Promise<ReadParameters<SeriesLines>> {
  const dataset = call.url.searchParams.get('dataset') || 'errors'
  if (dataset === 'transactions' || dataset === 'spans') return readFigureLines(call, dataset, query)
  if (dataset === 'errors' || dataset === 'discover') return readEventLines(call, query)
  const error = errorAnswer(400, `dataset is errors, discover, transactions or spans, not "${dataset}".`)
  return Promise.resolve({ ok: false, error })
}

/** One series, or for several axes one each, by the axis's name. */
function toAxes({ byAxis }: SeriesLine, steps: SeriesSteps, order: number): Series | Record<string, Series> {
  const all = [...byAxis].map(([axis, values], at) => [axis, toSeries(values, steps, at)] as const)
  const [first] = byAxis.values()
  return all.length === 1 ? toSeries(first ?? [], steps, order) : Object.fromEntries(all)
}

function toSeries(values: readonly (number | null)[], steps: SeriesSteps, order: number): Series {
  const { since, until, stepMs } = steps
  return {
    data: values.map((value, step) => [(since + step * stepMs) / 1_000, [{ count: value ?? 0 }]]),
    start: since / 1_000,
    end: until / 1_000,
    order,
  }
}

function emptySeries(steps: SeriesSteps): Series {
  return toSeries(
    Array.from({ length: steps.stepCount }, () => 0),
    steps,
    0,
  )
}
