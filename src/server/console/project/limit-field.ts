import { applyLimitChanges, parseLimitChanges } from '#server/rate-limit/limit-text.ts'
import type { RateLimits } from '#server/store/project-settings.ts'

export type LimitField = { ok: true; limits: RateLimits } | { ok: false; problem: string }

/** Reads a field with limits, `error=100/min attachment=50M/hour`; none when it is empty. */
export function parseLimitText(text: string): LimitField {
  const { changes, problems } = parseLimitChanges(text.split(/[\s,;]+/).filter((word) => word !== ''))
  if (problems.length > 0) return { ok: false, problem: problems.join(' ') }
  return { ok: true, limits: applyLimitChanges({}, changes) }
}
