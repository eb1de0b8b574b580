/**
 * The control of the page that does what a shortcut is for, before one that every page has; undefined where there is none, or
 * it is not shown.
 */
export function findControl(name: string): HTMLElement | undefined {
  const mark = `[data-shortcut="${name}"]`
  return listControls(`main ${mark}`)[0] ?? listControls(mark)[0]
}

/** The controls that a selector finds and that can be seen. */
function listControls(selector: string): HTMLElement[] {
  const found = document.querySelectorAll<HTMLElement>(selector)
  return [...found].filter((control) => control.checkVisibility({ visibilityProperty: true }))
}

/** Does what a click would do; a field gets the focus instead. Answers whether there was anything to use. */
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

/** What the page does for a shortcut, where it is a link or a field that does it. */
const commandTexts = new Map([
  ['next', 'Next'],
  ['previous', 'Previous'],
  ['back', 'Back to the list'],
  ['search', 'Search on this page'],
])

/** Something that the page on view offers. */
export interface PageCommand {
  /** The name of its shortcut; empty for a link that has none. */
  name: string
  /** What it does: `Resolve`. */
  text: string
  control: HTMLElement
}

/** What can be done on the page: every control with a shortcut. */
export function listActions(): PageCommand[] {
  return listControls('main [data-shortcut]:not([data-row-actions] *)').map(toCommand)
}

/** Where one can go from every page: the screens in the header, and what is in the menu of the account. */
export function listScreens(): PageCommand[] {
  const links = document.querySelectorAll<HTMLElement>(
    '.site-nav a, .user-menu-panel :is(a, [type="submit"])',
  )
  return [...links].map(toCommand)
}

/** A button says what it does. Links and fields say where they lead and what is in them: the shortcut says what they are for. */
function toCommand(control: HTMLElement): PageCommand {
  const name = control.dataset['shortcut'] ?? ''
  const label = control.getAttribute('aria-label') ?? control.textContent.trim()
  const text = control instanceof HTMLButtonElement ? label : (commandTexts.get(name) ?? label)
  return { name, text, control }
}

/** True while what is typed goes into a field, or a dialog is open and has keys of its own. */
export function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || (isField(target) && !isButtonField(target))
}

function isButtonField(field: HTMLElement): boolean {
  return field.matches('[type="button"], [type="submit"], [type="reset"]')
}
