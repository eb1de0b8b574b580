import { sql, type RawBuilder } from 'kysely'
import { hourOf } from './hour.ts'
import type { BarSpan } from './issue-views.ts'

const hourMs = 3_600_000
const steps = { '24h': { count: 24, ms: hourMs }, '14d': { count: 14, ms: 24 * hourMs } } as const

interface BarSteps {
  /** When the first step begins, in Unix milliseconds. */
  from: number
  stepMs: number
}

/** The steps of the bars, the last one ending with the running hour. A day of theirs is 24 hours, nobody's calendar day. */
export function barsOf(span: BarSpan, now: number): BarSteps {
  const { count, ms } = steps[span]
  return { from: hourOf(now) + hourMs - count * ms, stepMs: ms }
}

/** The bars of the issue `i`, as JSON: `[[step, events], …]`, steps without an event left out. */
export function selectBars({ from, stepMs }: BarSteps, environment: string | undefined): RawBuilder<string> {
  const ofEnvironment = environment === undefined ? sql`` : sql`and h.environment = ${environment}`
  return sql<string>`(select json_group_array(json_array(step, event_count)) from (
    select cast((h.hour - ${from}) / ${stepMs} as integer) as step, sum(h.event_count) as event_count from issue_hours h
    where h.project_id = i.project_id and h.issue_id = i.id and h.hour >= ${from} ${ofEnvironment}
    group by step))`
}

/** Spreads them over the steps, oldest first. */
export function parseBars(json: string, span: BarSpan): number[] {
  const bars = Array.from({ length: steps[span].count }, () => 0)
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
