import type { RegisteredRouter } from '@tanstack/react-router'
import { appConfig } from '../../../app.config.ts'
import { followForms, type FormFocus } from './form-focus.ts'
import { followHistory } from './history-trail.ts'
import { createKeyQueue } from './key-queue.ts'
import { createKeySequences } from './key-sequences.ts'
import { createListCursor, type ListCursor } from './list-cursor.ts'
import { ownsKeyboardInput } from './page-controls.ts'
import { createPendingActions, type PendingActions } from './pending-actions.ts'
import { findPressedKey, isAppleMachine, isPaletteKey } from './pressed-key.ts'
import { createShortcutActions } from './shortcut-actions.ts'
import { sequenceTimeoutMs, shortcutKeys, type ShortcutName } from './shortcuts.ts'
import type { TypeAhead } from './type-ahead.ts'

/** The overlays that the keyboard opens. */
export type KeyboardDialog = 'help' | 'palette'

export interface KeyboardOptions {
  router: RegisteredRouter
  /** False: single keys are disabled; ⌘K and Escape are not. */
  isOn: boolean
  /** Collects typed keys until the palette is loaded. */
  typeAhead: TypeAhead
  /** Keys and clicks before this code was loaded, oldest first. */
  early: readonly (KeyboardEvent | MouseEvent)[]
  onDialog: (dialog: KeyboardDialog) => void
}

/**
 * Listens to the keyboard: moves the cursor in lists, and activates the controls that are marked with
 * `data-shortcut`. A click on an element with `data-opens` opens a dialog. Only in the browser. Returns the
 * stop function.
 */
export function startKeyboard({ router, isOn, typeAhead, early, onDialog }: KeyboardOptions): () => void {
  const trail = followHistory(router)
  const cursor = createListCursor(() => trail.current())
  const actions = createShortcutActions({
    router,
    trail,
    cursor,
    onHelp: () => onDialog('help'),
    // The next key can arrive before the history reports a back navigation.
    onBack: () => pending.begin(),
  })
  const pending = createPendingActions<ShortcutName>({
    perform: (name) => actions[name](),
    now: () => performance.now(),
    limitMs: appConfig.routeLoadTimeoutMs,
    afterRendering: (callback) => void setTimeout(callback),
  })
  const sequences = createKeySequences<ShortcutName>(shortcutKeys, sequenceTimeoutMs)
  const isApple = isAppleMachine()
  const events = new AbortController()

  /** What is typed until the palette is loaded is its text. */
  function open(dialog: KeyboardDialog): void {
    if (dialog === 'palette') typeAhead.start()
    onDialog(dialog)
  }

  function onKey(event: KeyboardEvent): void {
    if (isPaletteKey(event, isApple)) return open('palette')
    if (typeAhead.press(event)) {
      event.preventDefault()
      return
    }
    if (!isOn || ownsKeyboardInput(event.target)) {
      leaveSearch(event)
      sequences.reset()
      return
    }
    const key = findPressedKey(event)
    if (key === undefined) return
    const outcome = sequences.press(key, event.timeStamp)
    if (outcome.kind === 'done' && perform(outcome.action)) event.preventDefault()
  }

  function perform(name: ShortcutName): boolean {
    if (isOfPage(name)) return pending.press(name)
    pending.drop()
    return actions[name]()
  }

  document.addEventListener('click', (event) => openDialog(event, open), { signal: events.signal })
  document.addEventListener('pointerdown', () => pending.drop(), { signal: events.signal })
  const forms = followForms()
  const stops = [restoreFocus(cursor, forms), followPages(router, { cursor, pending, forms })]
  const queue = createKeyQueue(early, {
    handle(event, isLate) {
      if (event instanceof MouseEvent) openDialog(event, open)
      else if (isLate && isOn && isEnterOnPage(event) && !typeAhead.isBuffering) perform('row-open')
      else onKey(event)
    },
    // A text is complete at once.
    isTyping: () => typeAhead.isBuffering,
    afterRendering: (callback) => void setTimeout(callback),
  })
  const onPress = (event: KeyboardEvent) => {
    if (isPaletteKey(event, isApple)) event.preventDefault()
    queue.press(event)
  }
  document.addEventListener('keydown', onPress, { signal: events.signal })
  return () => {
    events.abort()
    queue.drop()
    for (const stop of stops) stop()
    trail.stop()
  }
}

function openDialog({ target }: MouseEvent, onDialog: KeyboardOptions['onDialog']): void {
  const opener = target instanceof Element ? target.closest<HTMLElement>('[data-opens]') : null
  const dialog = opener?.dataset['opens']
  if (dialog === 'help' || dialog === 'palette') onDialog(dialog)
}

/**
 * Escape leaves the search field, unless it closed the suggestions: the next key applies to the results. The
 * browser would clear the text instead, which still selects the results.
 */
function leaveSearch(event: KeyboardEvent): void {
  const { key, target, defaultPrevented, isComposing } = event
  if (key !== 'Escape' || defaultPrevented || isComposing) return
  if (!(target instanceof HTMLInputElement) || target.dataset['shortcut'] !== 'search') return
  event.preventDefault()
  target.blur()
}

/** True for Enter if nothing had the focus: the keys before it had not moved the focus to a row yet. */
function isEnterOnPage(event: KeyboardEvent): boolean {
  const { key, target, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing } = event
  if (key !== 'Enter' || ctrlKey || metaKey || altKey || shiftKey || repeat || isComposing) return false
  return target instanceof Element && target.matches('body, main')
}

/** If the row or the form with the focus is removed, moves the focus. Returns the function that stops all. */
function restoreFocus(cursor: ListCursor, forms: FormFocus): () => void {
  const changes = new MutationObserver(() => {
    cursor.restore()
    forms.restore()
  })
  changes.observe(document.body, { childList: true, subtree: true })
  return () => {
    changes.disconnect()
    cursor.stop()
    forms.stop()
  }
}

/** Going back restores the list with its cursor; then the keys pressed for the page are handled. */
function followPages(
  router: RegisteredRouter,
  { cursor, pending, forms }: { cursor: ListCursor; pending: PendingActions<ShortcutName>; forms: FormFocus },
): () => void {
  const stopBeginning = router.subscribe('onBeforeNavigate', () => {
    forms.drop()
    pending.begin()
  })
  const stopEnding = router.subscribe('onResolved', () => {
    cursor.restore()
    pending.end()
  })
  return () => {
    stopBeginning()
    stopEnding()
  }
}

/** True for keys of the page and its rows. The controls of the frame exist while the next page loads. */
function isOfPage(name: ShortcutName): boolean {
  return !name.startsWith('go-') && name !== 'search' && name !== 'help'
}
