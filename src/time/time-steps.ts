/** A minute in milliseconds. */
export const minuteMs = 60_000
/** An hour in milliseconds. */
export const hourMs = 60 * minuteMs
/** A day of 24 hours in milliseconds. */
export const dayMs = 24 * hourMs

/** The units of Sentry's relative times: `90s`, `15m`, `24h`, `14d`, `2w`. */
export const timeUnitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: minuteMs,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
}

/** The start of the hour that contains the instant. Unix milliseconds. */
export function hourOf(at: number): number {
  return at - (at % hourMs)
}

/** The start of the UTC day that contains the instant. Unix milliseconds. */
export function dayOf(at: number): number {
  return at - (at % dayMs)
}

/** The start of the step that contains the instant, of steps since 1970 in UTC. Unix milliseconds. */
export function stepOf(at: number, stepMs: number): number {
  return at - (at % stepMs)
}

/** The length of a step, and how many of them a chart shows. */
export interface StepSize {
  stepMs: number
  stepCount: number
}

/** Consecutive steps of equal length, oldest first. */
export interface TimeSteps extends StepSize {
  /** The start of the first step, in Unix milliseconds. */
  since: number
}

/** 24 steps of an hour. */
export const last24Hours: StepSize = { stepMs: hourMs, stepCount: 24 }

/** The steps that end with the current one. They start at multiples of their length since 1970, in UTC. */
export function stepsUntil(now: number, { stepMs, stepCount }: StepSize): TimeSteps {
  return { since: now - (now % stepMs) - (stepCount - 1) * stepMs, stepMs, stepCount }
}

/** The start of the first of the 24 hours that end with the current one. */
export function firstOf24Hours(now: number): number {
  return stepsUntil(now, last24Hours).since
}

/**
 * Sums counts per step. Earlier counts are dropped. Later ones are part of the last step: an event may be
 * counted while the page is read, in an hour that had not begun.
 */
export function countPerStep(
  counted: Iterable<readonly [at: number, count: number]>,
  { since, stepMs, stepCount }: TimeSteps,
): number[] {
  const counts = Array.from({ length: stepCount }, () => 0)
  for (const [at, count] of counted) {
    const index = Math.min(Math.floor((at - since) / stepMs), stepCount - 1)
    const known = counts[index]
    if (known !== undefined) counts[index] = known + count
  }
  return counts
}
