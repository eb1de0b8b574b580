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
  if (failureCount > 0) return { word: 'takes nothing', tone: 'danger' }
  if (held.length > 0) return { word: 'limited', tone: 'warning' }
  if (isRetired) return { word: 'takes no more', tone: 'neutral' }
  if (deliveredAt === undefined && failedCount > 0) return { word: 'refuses', tone: 'danger' }
  if (deliveredAt === undefined) return { word: 'nothing sent yet', tone: 'neutral' }
  return { word: 'delivering', tone: 'success' }
}

/** What a limit is on. */
export function describeHeld(category: string): string {
  return category === 'all' ? 'Limit on everything' : `Limit on ${category.replaceAll('_', ' ')}`
}
