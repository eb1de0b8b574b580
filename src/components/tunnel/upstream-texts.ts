import type { BadgeTone } from '#components/ui/badge.tsx'
import type { UpstreamView } from '#server/console/project-settings/views.ts'

type Described = Pick<
  UpstreamView,
  'isPaused' | 'isRetired' | 'failureCount' | 'failedCount' | 'held' | 'deliveredAt'
>

/** How an upstream is, in a word. */
export function describeUpstream(upstream: Described): { word: string; tone: BadgeTone } {
  const { isPaused, isRetired, failureCount, failedCount, held, deliveredAt } = upstream
  if (isPaused) return { word: 'paused', tone: 'neutral' }
  if (failureCount > 0) return { word: 'unreachable', tone: 'danger' }
  if (held.length > 0) return { word: 'rate limited', tone: 'warning' }
  if (isRetired) return { word: 'retired', tone: 'neutral' }
  if (deliveredAt === undefined && failedCount > 0) return { word: 'rejects envelopes', tone: 'danger' }
  if (deliveredAt === undefined) return { word: 'idle', tone: 'neutral' }
  return { word: 'healthy', tone: 'success' }
}

/** The label of a rate limit. */
export function rateLimitLabel(category: string): string {
  return category === 'all' ? 'Rate limit on everything' : `Rate limit on ${category.replaceAll('_', ' ')}`
}
