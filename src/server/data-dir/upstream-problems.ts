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
          `What project ${slug} sends on to ${upstream} has waited since ${new Date(oldestWaitingAt).toISOString()}, and is given up after ${limits.outboxDays} days. "culvert upstream list" shows what it answers.`,
        ]
      : []),
    ...(failedCount > 0
      ? [
          `${upstream} rejected ${failedCount} ${failedCount === 1 ? 'envelope' : 'envelopes'} of project ${slug}. Send them again or delete them under Tunnel in the console.`,
        ]
      : []),
  ]
}
