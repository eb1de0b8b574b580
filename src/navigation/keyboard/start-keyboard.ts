import type { RegisteredRouter } from '@tanstack/react-router'
import { followHistory } from './history-trail.ts'
import { createKeySequences } from './key-sequences.ts'
import { createListCursor } from './list-cursor.ts'
import { isTaken } from './page-controls.ts'
import { findPressedKey, isAppleMachine, isPaletteKey } from './pressed-key.ts'
import { createShortcutActions } from './shortcut-actions.ts'
import { sequenceTimeoutMs, shortcutKeys, type ShortcutName } from './shortcuts.ts'
import type { TypeAhead } from './type-ahead.ts'

/** What the keyboard can open. */
export type KeyboardDialog = 'help' | 'palette'

export interface KeyboardOptions {
  router: RegisteredRouter
  /** False: single keys do nothing; ⌘K and Escape still do. */
  isOn: boolean
  /** Takes what is typed until the palette is there. */
  typeAhead: TypeAhead
  onDialog: (dialog: KeyboardDialog) => void
}

/**
 * Listens to the keyboard: moves the cursor in lists, and presses what the page marks with `data-shortcut`. What is marked
 * with `data-opens` opens a dialog by click. Only in the browser. Returns the function that ends it.
 */
export function startKeyboard({ router, isOn, typeAhead, onDialog }: KeyboardOptions): () => void {
  const trail = followHistory(router)
  const cursor = createListCursor(() => trail.current())
  const actions = createShortcutActions({ router, trail, cursor, onHelp: () => onDialog('help') })
  const sequences = createKeySequences<ShortcutName>(shortcutKeys, sequenceTimeoutMs)
  const isApple = isAppleMachine()
  const events = new AbortController()

  function onKey(event: KeyboardEvent): void {
    if (isPaletteKey(event, isApple)) {
      event.preventDefault()
      typeAhead.start()
      onDialog('palette')
      return
    }
    if (typeAhead.press(event)) {
      event.preventDefault()
      return
    }
    if (!isOn || isTaken(event.target)) {
      sequences.reset()
      return
    }
    const key = findPressedKey(event)
    if (key === undefined) return
    const outcome = sequences.press(key, event.timeStamp)
    if (outcome.kind === 'done' && actions[outcome.action]()) event.preventDefault()
  }

  function onClick({ target }: MouseEvent): void {
    const opener = target instanceof Element ? target.closest<HTMLElement>('[data-opens]') : null
    const dialog = opener?.dataset['opens']
    if (dialog === 'help' || dialog === 'palette') onDialog(dialog)
  }

  document.addEventListener('keydown', onKey, { signal: events.signal })
  document.addEventListener('click', onClick, { signal: events.signal })
  const stopRestoring = whenRowsChange(router, () => cursor.restore())
  return () => {
    events.abort()
    stopRestoring()
    cursor.stop()
    trail.stop()
  }
}

/** The row with the focus may leave the list, and going back shows a list anew: then the cursor must be found again. */
function whenRowsChange(router: RegisteredRouter, onChange: () => void): () => void {
  const changes = new MutationObserver(onChange)
  changes.observe(document.body, { childList: true, subtree: true })
  const stop = router.subscribe('onResolved', onChange)
  return () => {
    changes.disconnect()
    stop()
  }
}
