import type { KeyPress } from './pressed-key.ts'

/**
 * Buffers keys between the request for a field and its appearance, so that they trigger no shortcuts of the
 * page.
 */
export interface TypeAhead {
  /** True from `start` to `take`. */
  readonly isBuffering: boolean
  /** The field was requested: further keys are text, unless it is on the page. */
  start(): void
  /** Accepts a key as text; false if no input is expected, or the browser handles the key. */
  press(press: KeyPress): boolean
  /** The field has appeared, or will not: returns the buffered text. */
  take(): string
  /** Call when the field is on the page, and the returned function when it no longer is. */
  show(): () => void
}

/** Applies characters and Backspace in order; other keys are ignored. */
export function createTypeAhead(): TypeAhead {
  let typed: string | undefined
  let isShown = false
  return {
    get isBuffering() {
      return typed !== undefined
    },
    start() {
      if (!isShown) typed ??= ''
    },
    press({ key, ctrlKey, metaKey, altKey }) {
      if (typed === undefined || ctrlKey || metaKey || altKey) return false
      if (key === 'Backspace') typed = typed.slice(0, -1)
      else if (/^.$/u.test(key)) typed += key
      return true
    },
    take() {
      const text = typed ?? ''
      typed = undefined
      return text
    },
    show() {
      isShown = true
      return () => {
        isShown = false
      }
    },
  }
}
