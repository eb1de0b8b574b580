import { limits } from '#server/limits.ts'
import type { UpstreamFigures } from '#server/store/upstreams/figures.ts'

/**
 * Problems of an upstream for the operator: envelopes that are queued for too long, or were rejected. `now`:
 * Unix ms.
 */
export function findUpstreamProblems(figures: UpstreamFigures, now: number): string[] {
  const { slug, dsn, failedCount, oldestWaitingAt, isPaused } = figures
  const upstream = `${dsn.host}/${dsn.projectId}`
  const isStuck = !isPaused && oldestWaitingAt !== undefined && now - oldestWaitingAt > limits.forwardStuckMs
  return [
    ...(isStuck
      ? [
          `Envelopes of project ${slug} for ${upstream} have been queued since ${new Date(oldestWaitingAt).toISOString()}, and are dropped after ${limits.outboxDays} days. "culvert upstream list" shows its last answer.`,
        ]
      : []),
    ...(failedCount > 0
      ? [
          `${upstream} rejected ${failedCount} ${failedCount === 1 ? 'envelope' : 'envelopes'} of project ${slug}. Send them again or delete them under Forwarding in the console.`,
        ]
      : []),
  ]
}
