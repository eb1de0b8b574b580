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
}

/** What each shortcut does; false where the page has nothing for it. */
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
    search: press('search'),
    'go-issues': press('go-issues'),
    'go-releases': press('go-releases'),
    'go-projects': press('go-projects'),
    'go-outcomes': press('go-outcomes'),
    help: () => {
      onHelp()
      return true
    },
  }
}

function press(name: ShortcutName): () => boolean {
  return () => pressControl(findControl(name))
}

/** To the list that this page was reached from, as it was left; else to what is above the page. */
function goBack({ router, trail, cursor }: ShortcutTargets): boolean {
  const distance = trail.findDistance((entry) => cursor.isIn(entry))
  if (distance === undefined) return pressControl(findControl('back'))
  router.history.go(distance)
  return true
}

/** Ticks the box of the row, or with `isRange` all up to it, as a click with Shift does. */
function selectRow(cursor: ListCursor, isRange: boolean): boolean {
  const box = cursor.findLink()?.closest('tr, li')?.querySelector('input[type="checkbox"]')
  if (!(box instanceof HTMLInputElement)) return false
  box.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: isRange }))
  return true
}

/** What does it to the page's issue or to those selected; where nothing is selected, the issue under the cursor gets to be. */
function findTriageControl(name: ShortcutName, cursor: ListCursor): HTMLElement | undefined {
  const control = findControl(name)
  if (control !== undefined || !selectRow(cursor, false)) return control
  return findControl(name)
}
