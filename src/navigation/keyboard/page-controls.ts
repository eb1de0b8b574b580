/**
 * The control for a shortcut, preferably in the page's content and not in its frame; undefined if there is
 * none, or it is hidden.
 */
export function findControl(name: string): HTMLElement | undefined {
  const mark = `[data-shortcut="${name}"]`
  return listControls(`main ${mark}`)[0] ?? listControls(mark)[0]
}

/** The visible controls that match a selector. */
function listControls(selector: string): HTMLElement[] {
  const found = document.querySelectorAll<HTMLElement>(selector)
  return [...found].filter((control) => control.checkVisibility({ visibilityProperty: true }))
}

/** Clicks the control, or focuses a field. Returns whether there was a control. */
export function pressControl(control: HTMLElement | undefined): boolean {
  if (control === undefined) return false
  if (!isField(control)) {
    control.click()
    return true
  }
  control.focus()
  if (control instanceof HTMLInputElement) control.select()
  return true
}

function isField(control: HTMLElement): boolean {
  return control.matches('input:not([type="checkbox"], [type="radio"]), select, textarea')
}

/** The label of a shortcut whose control is a link or a field. */
const commandTexts = new Map([
  ['next', 'Next'],
  ['previous', 'Previous'],
  ['back', 'Back to the list'],
  ['search', 'Search on this page'],
  ['go-inbox', 'Inbox'],
])

/** A command of the current page. */
export interface PageCommand {
  /** The name of its shortcut; empty for a link without one. */
  name: string
  /** The label: `Resolve`. */
  text: string
  control: HTMLElement
}

/** All controls of the page with a shortcut. */
export function listActions(): PageCommand[] {
  return listControls('main [data-shortcut]:not([data-row-actions] *)').map(toCommand)
}

/** The navigation of every page: the screens in the header and the account menu. */
export function listScreens(): PageCommand[] {
  const links = document.querySelectorAll<HTMLElement>(
    '.site-nav a, .bell, .user-menu-panel :is(a, [type="submit"])',
  )
  return [...links].map(toCommand)
}

/**
 * A button is labelled by its text. The text of a link or field is its target or content, so the label is
 * that of the shortcut.
 */
function toCommand(control: HTMLElement): PageCommand {
  const name = control.dataset['shortcut'] ?? ''
  const label = control.getAttribute('aria-label') ?? control.textContent.trim()
  const text = control instanceof HTMLButtonElement ? label : (commandTexts.get(name) ?? label)
  return { name, text, control }
}

/** True while a field accepts text, or a dialog with its own keys is open. */
export function ownsKeyboardInput(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || (isField(target) && !isButtonField(target))
}

function isButtonField(field: HTMLElement): boolean {
  return field.matches('[type="button"], [type="submit"], [type="reset"]')
}
