import { errorAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import type { ReadParameters } from '#server/api/read-cursor.ts'
import { listGroupSteps } from '#server/store/issues/counted-events.ts'
import { countPerStep, minuteMs } from '#time/time-steps.ts'
import { findIssueField, groupIssues, issueFieldNames, readCountedIssues } from './counted-issues.ts'
import type { LinesQuery, SeriesLines } from './series-lines.ts'

/** The axes for events. */
export const eventAxes = ['count()', 'epm()', 'eps()'] as const
type EventAxis = (typeof eventAxes)[number]

/** Events over time, largest lines first. */
export async function readEventLines(
  call: ApiCall,
  { axes, groupBy, top }: LinesQuery,
): Promise<ReadParameters<SeriesLines>> {
  const unknownAxis = axes.find((name) => !isEventAxis(name))
  if (unknownAxis !== undefined)
    return { ok: false, error: errorAnswer(400, `yAxis is ${eventAxes.join(', ')}, not "${unknownAxis}".`) }
  const unknown = groupBy.find((field) => findIssueField(field) === undefined)
  if (unknown !== undefined)
    return { ok: false, error: errorAnswer(400, `field is ${issueFieldNames.join(', ')}, not "${unknown}".`) }
  const read = await readCountedIssues(call)
  if (!read.ok) return read
  const { issues, steps, environments } = read.value
  const groups = groupBy.length === 0 ? [{ values: [], issues }] : groupIssues(issues, groupBy).slice(0, top)
  const counted = await listGroupSteps(
    call.services.store.db,
    groups.map((group) => group.issues.map(({ key }) => key)),
    { ...steps, environments },
  )
  const lines = groups.map(({ values }, index) => {
    const pairs = counted.filter((row) => row.group === index)
    const counts = countPerStep(
      pairs.map(({ startAt, eventCount }) => [startAt, eventCount] as const),
      steps,
    )
    const valuesOf = (axis: string) =>
      counts.map((each) => (isEventAxis(axis) ? toValue(each, axis, steps.stepMs) : each))
    return { values, byAxis: new Map(axes.map((axis) => [axis, valuesOf(axis)])) }
  })
  return { ok: true, value: { lines, steps } }
}

function toValue(eventCount: number, axis: EventAxis, stepMs: number): number {
  if (axis === 'count()') return eventCount
  const perMinute = (eventCount / stepMs) * minuteMs
  return axis === 'epm()' ? perMinute : perMinute / 60
}

function isEventAxis(name: string): name is EventAxis {
  return eventAxes.some((axis) => axis === name)
}
