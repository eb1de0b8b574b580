import { movingKeys } from './shortcuts.ts'

/** The fields of a keyboard event that identify the key. */
export type KeyPress = Pick<
  KeyboardEvent,
  | 'key'
  | 'code'
  | 'shiftKey'
  | 'ctrlKey'
  | 'metaKey'
  | 'altKey'
  | 'repeat'
  | 'isComposing'
  | 'defaultPrevented'
>

/**
 * The single key that was pressed, as `shortcutKeys` writes it: `j`, `X`, `?`. Undefined for browser
 * shortcuts (with Ctrl, Alt or ⌘), keys other than characters, repeats of keys that do more than move, input
 * method composition, and events with their default prevented.
 */
export function findPressedKey(press: KeyPress): string | undefined {
  const { ctrlKey, metaKey, altKey, defaultPrevented, isComposing } = press
  if (ctrlKey || metaKey || altKey || defaultPrevented || isComposing) return undefined
  const latin = toLatin(press)
  if (latin.length !== 1 || latin === ' ') return undefined
  // Caps Lock produces capitals without intent.
  const key = press.shiftKey ? latin : latin.toLowerCase()
  return press.repeat && !movingKeys.includes(key) ? undefined : key
}

/**
 * True if the browser runs on an Apple device, where the palette's key is ⌘K. Only in the browser.
 */
export function isAppleMachine(): boolean {
  return /Mac|iP(hone|ad)/.test(navigator.userAgent)
}

/**
 * True for ⌘K on Apple devices, where Ctrl+K deletes to the end of a line, and for Ctrl+K elsewhere, where
 * the system uses ⌘. Its default may be prevented: `recordEarlyInput` does so.
 */
export function isPaletteKey(press: KeyPress, isApple: boolean): boolean {
  const [wanted, other] = isApple ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey]
  const isRepeatOrComposed = press.repeat || press.isComposing
  if (!wanted || other || press.altKey || press.shiftKey || isRepeatOrComposed) return false
  return toLatin(press).toLowerCase() === 'k'
}

/**
 * The letter at the same position of a Latin keyboard, for a keyboard without Latin letters: `о` on a Russian
 * keyboard is `j`.
 */
function toLatin({ key, code, shiftKey }: KeyPress): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter === undefined || !/^\P{ASCII}$/u.test(key)) return key
  return shiftKey ? letter : letter.toLowerCase()
}
