import type { RegisteredRouter } from '@tanstack/react-router'
import type { HistoryTrail } from './history-trail.ts'
import type { ListCursor } from './list-cursor.ts'
import { findControl, pressControl } from './page-controls.ts'
import type { ShortcutName } from './shortcuts.ts'

export interface ShortcutTargets {
  router: RegisteredRouter
  trail: HistoryTrail
  cursor: ListCursor
  /** Shows the list of shortcuts. */
  onHelp: () => void
  /** Called before the history goes back. */
  onBack: () => void
}

/** The action of each shortcut; returns false if the page has no control for it. */
export function createShortcutActions(targets: ShortcutTargets): Record<ShortcutName, () => boolean> {
  const { cursor, onHelp } = targets
  const triage = (name: ShortcutName) => () => pressControl(findTriageControl(name, cursor))
  return {
    'row-next': () => cursor.move(1),
    'row-previous': () => cursor.move(-1),
    'row-open': () => pressControl(cursor.findLink()),
    'row-select': () => selectRow(cursor, false),
    'row-select-to': () => selectRow(cursor, true),
    resolve: triage('resolve'),
    archive: triage('archive'),
    assign: triage('assign'),
    undo: press('undo'),
    next: press('next'),
    previous: press('previous'),
    back: () => goBack(targets),
    'show-new': press('show-new'),
    search: press('search'),
    'go-issues': press('go-issues'),
    'go-inbox': press('go-inbox'),
    'go-releases': press('go-releases'),
    'go-monitors': press('go-monitors'),
    'go-performance': press('go-performance'),
    'go-projects': press('go-projects'),
    'go-outcomes': press('go-outcomes'),
    'go-tunnel': press('go-tunnel'),
    'go-digest': press('go-digest'),
    'go-settings': () => openSettings(targets),
    help: () => {
      onHelp()
      return true
    },
  }
}

/** The link is in the account menu, which is closed. */
function openSettings({ router }: ShortcutTargets): boolean {
  void router.navigate({ to: '/settings' })
  return true
}

function press(name: ShortcutName): () => boolean {
  return () => pressControl(findControl(name))
}

/** Opens the list that led to this page, in its last state; else the parent page. */
function goBack({ router, trail, cursor, onBack }: ShortcutTargets): boolean {
  const distance = trail.findDistance((entry) => cursor.isIn(entry))
  if (distance === undefined) return pressControl(findControl('back'))
  onBack()
  router.history.go(distance)
  return true
}

/** Toggles the checkbox of the row, or with `isRange` all up to it, like a Shift-click. */
function selectRow(cursor: ListCursor, isRange: boolean): boolean {
  const box = cursor.findLink()?.closest('tr, li')?.querySelector('input[type="checkbox"]')
  if (!(box instanceof HTMLInputElement)) return false
  box.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: isRange }))
  return true
}

/**
 * The control for the issue of the page, for the selected rows, or if none is selected for the row with the
 * cursor.
 */
function findTriageControl(name: ShortcutName, cursor: ListCursor): HTMLElement | undefined {
  const row = cursor.findLink()?.closest('tr, li')
  // The list renders the action buttons of one row. Without a cursor they may be in the row under the
  // pointer, to which keys do not apply.
  row?.dispatchEvent(new Event('row-actions', { bubbles: true }))
  const own = row?.querySelector<HTMLElement>(`[data-shortcut="${name}"]`)
  if (own) return own
  const control = findControl(name)
  return row === undefined && control?.closest('[data-row-actions]') ? undefined : control
}
