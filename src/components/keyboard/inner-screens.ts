import { fuzzyScore } from './fuzzy-match.ts'
import type { PaletteEntry } from './palette.tsx'

/** Screens that no page links to from its header, offered once something is typed. */
const innerScreens: readonly PaletteEntry[] = [
  { id: 'inner-account', text: 'Account', href: '/settings' },
  { id: 'inner-tokens', text: 'API tokens', href: '/settings/tokens' },
  { id: 'inner-docs', text: 'Documentation', href: '/docs' },
]

/** Screens that are empty for users who do not administer an organization. */
const configuringScreens: readonly PaletteEntry[] = [
  { id: 'inner-members', text: 'Members', href: '/settings/members' },
  { id: 'inner-system', text: 'System', href: '/settings/system' },
  { id: 'inner-status-page', text: 'Status page', href: '/settings/status-page' },
  { id: 'inner-new-monitor', text: 'New monitor', href: '/monitors/new' },
  { id: 'inner-new-uptime', text: 'New uptime monitor', href: '/monitors/new-uptime' },
  { id: 'inner-new-project', text: 'New project', href: '/projects/new' },
]

/** The inner screens that match a text and that the user may open; none without a text. */
export function matchInnerScreens(text: string, mayConfigure: boolean): PaletteEntry[] {
  if (text.trim() === '') return []
  const screens = mayConfigure ? [...innerScreens, ...configuringScreens] : innerScreens
  return screens.filter((screen) => fuzzyScore(text, screen.text) !== undefined)
}
