import { countedNoun } from '#numbers/number-text.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'

/** How late the counts of a page are, in steps, so that a screen reader seldom announces a change. */
export function LateCounts({ delayMs }: { delayMs: number }) {
  return `Counts are ${delayText(delayMs)} behind.`
}

function delayText(delayMs: number): string {
  if (delayMs < 10_000) return 'a few seconds'
  if (delayMs < minuteMs) return `${Math.floor(delayMs / 10_000) * 10} seconds`
  if (delayMs < 2 * hourMs) return countedNoun(Math.floor(delayMs / minuteMs), 'minute')
  return countedNoun(Math.floor(delayMs / hourMs), 'hour')
}
