import type { KeyPress } from '#navigation/keyboard/pressed-key.ts'

/** A press of `j` with the given changes. */
export function keyPress(change: Partial<KeyPress>): KeyPress {
  return {
    key: 'j',
    code: 'KeyJ',
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    repeat: false,
    isComposing: false,
    defaultPrevented: false,
    ...change,
  }
}
