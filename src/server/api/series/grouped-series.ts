import * as v from 'valibot'
import { anyText, count, instant } from '#server/api/answer-schema.ts'

/** Groups with a total and a series per field, in Sentry's format. `figure`: the schema of their values. */
export function groupedSeries<Figure extends v.GenericSchema>(figure: Figure) {
  return v.strictObject({
    start: instant,
    end: instant,
    intervals: v.array(instant),
    groups: v.array(
      v.strictObject({
        by: v.record(v.string(), v.union([anyText, count])),
        totals: v.record(v.string(), figure),
        series: v.record(v.string(), v.array(figure)),
      }),
    ),
  })
}
