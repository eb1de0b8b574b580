import type { ShortcutName } from './shortcuts.ts'

/** The description of each shortcut, beginning with a verb. */
export const shortcutTexts: Record<ShortcutName, string> = {
  'row-next': 'Next row',
  'row-previous': 'Previous row',
  'row-open': 'Open',
  'row-select': 'Toggle selection',
  'row-select-to': 'Extend selection to here',
  resolve: 'Resolve',
  archive: 'Archive',
  assign: 'Assign',
  undo: 'Undo the last action',
  next: 'Next event or page',
  previous: 'Previous event or page',
  back: 'Back to the list',
  'show-new': 'Show new issues or events',
  search: 'Search',
  'go-issues': 'Issues',
  'go-inbox': 'Inbox',
  'go-releases': 'Releases',
  'go-monitors': 'Monitors',
  'go-performance': 'Performance',
  'go-projects': 'Projects',
  'go-outcomes': 'Ingestion',
  'go-tunnel': 'Forwarding',
  'go-digest': 'Find event',
  'go-settings': 'Settings',
  help: 'Show shortcuts',
}

/** The heading of the keys that work on every page. */
export const anywhere = 'Anywhere'

/** The headings under which they are listed. */
export const shortcutGroups: readonly { title: string; names: readonly ShortcutName[] }[] = [
  {
    title: 'Lists',
    names: ['row-next', 'row-previous', 'row-open', 'row-select', 'row-select-to', 'show-new'],
  },
  { title: 'Issues', names: ['resolve', 'archive', 'assign', 'previous', 'next', 'back'] },
  {
    title: 'Go to',
    names: [
      'go-issues',
      'go-inbox',
      'go-releases',
      'go-monitors',
      'go-performance',
      'go-projects',
      'go-outcomes',
      'go-tunnel',
      'go-digest',
      'go-settings',
    ],
  },
  { title: anywhere, names: ['undo', 'search', 'help'] },
]
