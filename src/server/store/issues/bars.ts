import { sql, type RawBuilder } from 'kysely'
import { perEngine } from '#server/store/engine/per-engine.ts'
import { dayMs, hourMs, hourOf } from '#time/time-steps.ts'
import type { BarSpan } from './records.ts'

const steps = { '24h': { count: 24, ms: hourMs }, '14d': { count: 14, ms: dayMs } } as const

interface BarSteps {
  /** The start of the first step, in Unix milliseconds. */
  from: number
  stepMs: number
  count: number
}

/** The steps of the bars, ending with the current hour. A day is 24 hours, not a calendar day. */
export function barsOf(span: BarSpan, now: number): BarSteps {
  const { count, ms } = steps[span]
  return { from: hourOf(now) + hourMs - count * ms, stepMs: ms, count }
}

/**
 * The bars of the issue `i`, as JSON: `[[step, events], …]`. Hours are grouped as they are in the index. For
 * longer steps there is one subquery per step: grouping by a computed step would sort all hours of an issue.
 * That takes SQLite 3.8 ms instead of 1.5 for a page of busy issues, and PostgreSQL 2.8 instead of 2.4
 * (measured, 14 days).
 */
export function selectBars(
  { from, stepMs, count }: BarSteps,
  environment: string | undefined,
): RawBuilder<string> {
  const ofIssue = sql`from issue_hours h where h.project_id = i.project_id and h.issue_id = i.id
    ${environment === undefined ? sql`` : sql`and h.environment = ${environment}`}`
  if (stepMs === hourMs) {
    const hours = sql`select (h.hour - ${from}) / ${hourMs} as step, sum(h.event_count) as event_count ${ofIssue}
      and h.hour >= ${from} group by h.hour`
    return listPairs(hours)
  }
  const beginsAt = sql`cast(${from} as bigint) + column1 * cast(${stepMs} as bigint)`
  return listPairs(sql`select column1 as step, (select sum(h.event_count) ${ofIssue}
    and h.hour >= ${beginsAt} and h.hour < ${beginsAt} + ${stepMs}) as event_count
    from (values ${valuesTo(count)}) as steps`)
}

/** In PostgreSQL, arrays of numbers are cheaper than arrays of JSON. */
function listPairs(rows: RawBuilder<unknown>): RawBuilder<string> {
  return perEngine<string>({
    sqlite: sql`(select json_group_array(json_array(step, event_count)) from (${rows}))`,
    postgres: sql`(select coalesce(to_json(array_agg(array[step, event_count::bigint])), '[]')::text from (${rows}) as bars)`,
  })
}

function valuesTo(count: number): RawBuilder<unknown> {
  return sql.raw(Array.from({ length: count }, (_, value) => `(${value})`).join(','))
}

const toEmptyBars = (span: BarSpan) => Array.from({ length: steps[span].count }, () => 0)
const emptyBars = { '24h': toEmptyBars('24h'), '14d': toEmptyBars('14d') }

/** Distributes the counts over the steps, oldest first. */
export function parseBars(json: string, span: BarSpan): number[] {
  const bars = emptyBars[span].slice()
  const rows: unknown = JSON.parse(json)
  if (!Array.isArray(rows)) return bars
  for (const row of rows) {
    if (!Array.isArray(row)) continue
    const step = Number(row[0])
    const known = bars[step]
    if (known !== undefined) bars[step] = known + Number(row[1])
  }
  return bars
}
