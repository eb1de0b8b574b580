import { fuzzyScore } from '#components/keyboard/fuzzy-match.ts'
import type { PaletteEntry } from '#components/keyboard/palette.tsx'

/** Screens that no page links to from its header, offered once something is typed. */
const innerScreens: readonly PaletteEntry[] = [
  { id: 'inner-members', text: 'Members', href: '/settings/members' },
  { id: 'inner-tokens', text: 'API tokens', href: '/settings/tokens' },
  { id: 'inner-system', text: 'System', href: '/settings/system' },
  { id: 'inner-new-project', text: 'New project', href: '/projects/new' },
]

export function matchInnerScreens(text: string): PaletteEntry[] {
  if (text.trim() === '') return []
  return innerScreens.filter((screen) => fuzzyScore(text, screen.text) !== undefined)
}
