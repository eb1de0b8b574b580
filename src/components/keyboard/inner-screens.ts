import { fuzzyScore } from './fuzzy-match.ts'
import type { PaletteEntry } from './palette.tsx'

/** Screens without a link in the header, listed when the user types a text. */
const innerScreens: readonly PaletteEntry[] = [
  { id: 'inner-account', text: 'Account', detail: 'Settings', href: '/settings' },
  { id: 'inner-notifications', text: 'Notifications', detail: 'Settings', href: '/settings/notifications' },
  { id: 'inner-tokens', text: 'API tokens', detail: 'Settings', href: '/settings/tokens' },
  { id: 'inner-docs', text: 'Documentation', href: '/docs' },
  { id: 'inner-alerts', text: 'Alerts', detail: 'Decisions of rules', href: '/alerts' },
  ...['queries', 'requests', 'caches', 'queues', 'resources'].map((view) => ({
    id: `inner-${view}`,
    text: `${view.charAt(0).toUpperCase()}${view.slice(1)}`,
    detail: 'Performance',
    href: `/performance?view=${view}`,
  })),
  { id: 'inner-vitals', text: 'Web vitals', detail: 'Performance', href: '/performance?view=vitals' },
]

/** Screens that are empty for users who do not administer an organization. */
const configuringScreens: readonly PaletteEntry[] = [
  { id: 'inner-members', text: 'Members', detail: 'Settings', href: '/settings/members' },
  { id: 'inner-destinations', text: 'Destinations', detail: 'Settings', href: '/settings/destinations' },
  { id: 'inner-system', text: 'System', detail: 'Settings', href: '/settings/system' },
  { id: 'inner-import', text: 'Import', detail: 'Settings', href: '/settings/import' },
  { id: 'inner-status-page', text: 'Status page', detail: 'Settings', href: '/settings/status-page' },
  { id: 'inner-dead-letters', text: 'Dead letters', detail: 'Ingestion', href: '/outcomes/dead-letters' },
  { id: 'inner-new-monitor', text: 'New cron monitor', href: '/monitors/new' },
  { id: 'inner-new-uptime', text: 'New uptime monitor', href: '/monitors/new-uptime' },
  { id: 'inner-new-project', text: 'New project', href: '/projects/new' },
]

/** The inner screens that match a text and that the user may open, best first; none without a text. */
export function matchInnerScreens(text: string, canConfigure: boolean): PaletteEntry[] {
  if (text.trim() === '') return []
  const screens = canConfigure ? [...innerScreens, ...configuringScreens] : innerScreens
  const scored = screens.flatMap((screen) => {
    const score = fuzzyScore(text, screen.text)
    return score === undefined ? [] : [{ screen, score }]
  })
  return scored.toSorted((one, other) => other.score - one.score).map(({ screen }) => screen)
}
