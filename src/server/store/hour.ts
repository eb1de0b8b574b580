const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The hour an instant falls into: the instant its hour began, in Unix milliseconds. */
export function hourOf(at: number): number {
  return at - (at % hourMs)
}

/** The UTC day an instant falls into: the instant it began, in Unix milliseconds. */
export function dayOf(at: number): number {
  return at - (at % dayMs)
}

/** The first of the 24 hours that end with the running one. */
export function firstOf24Hours(now: number): number {
  return hourOf(now) - 23 * hourMs
}

/**
 * Spreads counted hours over the 24 hours that end with the running one, oldest first; hours without a row
 * are 0.
 */
export function toHours24(rows: Iterable<{ hour: number; event_count: number }>, now: number): number[] {
  const first = firstOf24Hours(now)
  const hours = Array.from({ length: 24 }, () => 0)
  for (const row of rows) {
    const index = (row.hour - first) / hourMs
    const counted = hours[index]
    if (counted !== undefined) hours[index] = counted + row.event_count
  }
  return hours
}
