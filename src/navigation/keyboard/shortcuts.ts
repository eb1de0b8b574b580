/**
 * The actions of single keys. A name is the value of `data-shortcut` on the button, link or field that
 * performs it: so every action is also available to the pointer and the Tab key.
 */
export type ShortcutName = (typeof shortcutKeys)[keyof typeof shortcutKeys]

/** The key sequences, in the order of the help. A capital letter includes Shift: `X`. */
export const shortcutKeys = {
  j: 'row-next',
  k: 'row-previous',
  o: 'row-open',
  x: 'row-select',
  X: 'row-select-to',
  e: 'resolve',
  m: 'archive',
  a: 'assign',
  z: 'undo',
  n: 'next',
  p: 'previous',
  u: 'back',
  r: 'show-new',
  '/': 'search',
  'g i': 'go-issues',
  'g n': 'go-inbox',
  'g r': 'go-releases',
  'g m': 'go-monitors',
  'g f': 'go-performance',
  'g p': 'go-projects',
  'g o': 'go-outcomes',
  'g t': 'go-tunnel',
  'g d': 'go-digest',
  'g s': 'go-settings',
  '?': 'help',
} as const

/** The keys that only move the cursor of a list: they repeat while they are held. */
export const movingKeys: readonly string[] = ['j', 'k']

/** Time after `g` within which the next key continues the sequence. */
export const sequenceTimeoutMs = 1_500

/** The keys of a shortcut in order; empty for an unknown name. */
export function findKeys(name: string): string[] {
  const sequence = Object.entries(shortcutKeys).find(([, bound]) => bound === name)
  return sequence?.[0].split(' ') ?? []
}
