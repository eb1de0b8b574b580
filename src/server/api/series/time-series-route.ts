import * as v from 'valibot'
import { anyText, count } from '#server/api/answer-schema.ts'
import { answer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { lineFields, linesParameters, readLines, readLinesQuery } from './event-series-route.ts'
import { findFigure } from './figure-cells.ts'
import { toIntervalTimes } from './read-steps.ts'
import type { SeriesLine } from './series-lines.ts'

const timeSeriesAnswer = v.strictObject({
  meta: v.strictObject({ dataset: anyText, start: count, end: count }),
  timeSeries: v.array(
    v.strictObject({
      yAxis: anyText,
      groupBy: v.optional(v.array(v.strictObject({ key: anyText, value: v.union([anyText, v.number()]) }))),
      values: v.array(
        v.strictObject({ timestamp: count, value: v.nullable(v.number()), incomplete: v.boolean() }),
      ),
      meta: v.strictObject({
        valueType: anyText,
        valueUnit: v.nullable(anyText),
        interval: count,
        order: v.optional(count),
        isOther: v.optional(v.boolean()),
      }),
    }),
  ),
})

type TimeSeriesLine = v.InferOutput<typeof timeSeriesAnswer>['timeSeries'][number]
type AxisValues = readonly [axis: string, values: readonly (number | null)[]]

/** Events over time, in the newer one of Sentry's formats: a list of lines. Times are in milliseconds. */
export const timeSeriesRoute: ApiRoute = {
  method: 'GET',
  path: '/organizations/{org}/events-timeseries/',
  scope: 'event:read',
  summary: 'Events, transactions or groups of spans over time, as a list of lines.',
  query: { ...linesParameters, groupBy: `What the lines are named by, repeated: ${lineFields}` },
  answers: timeSeriesAnswer,
  handle: answerTimeSeries,
}

async function answerTimeSeries(call: ApiCall): Promise<ApiAnswer> {
  if (findMembership(call) === undefined) return notFoundAnswer
  const parameters = call.url.searchParams
  const groupBy = parameters.getAll('groupBy').filter((field) => field !== '')
  const query = readLinesQuery(call, groupBy)
  if (!query.ok) return query.error
  const read = await readLines(call, query.value)
  if (!read.ok) return read.error
  const { lines, steps } = read.value
  const now = call.services.clock()
  const times = toIntervalTimes(steps)
  const toLine = (line: SeriesLine, order: number, [yAxis, values]: AxisValues): TimeSeriesLine => ({
    yAxis,
    ...(groupBy.length > 0 && {
      groupBy: line.values.map((value, at) => ({ key: groupBy[at] ?? '', value })),
    }),
    values: times.map((timestamp, at) => ({
      timestamp,
      value: values[at] ?? null,
      incomplete: timestamp + steps.stepMs > now,
    })),
    meta: {
      ...unitOf(yAxis),
      interval: steps.stepMs,
      ...(groupBy.length > 0 && { order, isOther: line.isOther === true }),
    },
  })
  const timeSeries = lines.flatMap((line, order) => [...line.byAxis].map((axis) => toLine(line, order, axis)))
  const dataset = parameters.get('dataset') || 'errors'
  return answer({ meta: { dataset, start: steps.since, end: steps.until }, timeSeries })
}

/** The axes for events are a subset of those for transactions. */
function unitOf(axis: string): { valueType: string; valueUnit: string | null } {
  const valueType = findFigure(axis)?.type ?? 'number'
  if (valueType === 'duration') return { valueType, valueUnit: 'millisecond' }
  if (valueType === 'rate') return { valueType, valueUnit: axis.includes('ps(') ? '1/second' : '1/minute' }
  return { valueType, valueUnit: null }
}
