import type { KeyboardEvent, MouseEvent, FocusEvent, ReactNode } from 'react'
import { Later } from './time/later.tsx'

interface MenuProps {
  label: string
  /** False if the icon replaces it. */
  isLabelShown?: boolean
  icon?: ReactNode
  children: ReactNode
}

/**
 * A button that opens a panel with further choices: `details`, so that it works before any script has run.
 * With scripts Escape, a choice, and leaving it close it.
 */
export function Menu({ label, isLabelShown = true, icon, children }: MenuProps) {
  return (
    <details className="menu" {...menuBehaviour}>
      <summary
        className="button"
        aria-label={isLabelShown ? undefined : label}
        title={isLabelShown ? undefined : label}
      >
        {isLabelShown ? label : null}
        {icon}
      </summary>
      <div className="menu-panel">
        <Later>{children}</Later>
      </div>
    </details>
  )
}

/**
 * Closes a menu on Escape, on leaving it, and on a choice; arrow keys move in it. For `details`. The mark is
 * for `navigation/close-menus.ts`.
 */
export const menuBehaviour = {
  'data-menu': '',
  onKeyDown: followKeys,
  onBlur: closeWhenLeft,
  onClick: closeAfterChoice,
}

function close(menu: HTMLDetailsElement): void {
  const hadFocus = menu.contains(document.activeElement)
  menu.removeAttribute('open')
  if (hadFocus) menu.querySelector('summary')?.focus()
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

function followKeys(event: KeyboardEvent<HTMLDetailsElement>): void {
  const { currentTarget: menu, target } = event
  const step = steps[event.key]
  if (event.key === 'Escape' && menu.open) {
    event.stopPropagation()
    close(menu)
  } else if (step !== undefined && target instanceof HTMLElement && !hasOwnArrows(target)) {
    event.preventDefault()
    menu.open = true
    moveFocus(menu, step)
  }
}

/** In a field the arrows move the cursor, or choose. */
function hasOwnArrows(target: HTMLElement): boolean {
  return target.matches('input:not([type="checkbox"]), select, textarea')
}

/** To the next control of an open menu, and round at its ends. */
function moveFocus(menu: HTMLDetailsElement, step: number): void {
  const found = menu.querySelectorAll<HTMLElement>(':is(a[href], button, input, select, textarea, summary)')
  const controls = [...found].filter(
    (control) => control.checkVisibility() && !control.matches('[type="hidden"]'),
  )
  const items = controls.slice(1)
  const at = items.findIndex((control) => control === document.activeElement)
  const next = at === -1 && step < 0 ? items.at(-1) : items.at((at + step) % items.length)
  next?.focus()
}

/** A click outside moves the focus to the page, or nowhere. */
function closeWhenLeft({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>): void {
  if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget))
    currentTarget.removeAttribute('open')
}

/** After the form has been sent: a removed button would not send it. */
function closeAfterChoice({ currentTarget, target }: MouseEvent<HTMLDetailsElement>): void {
  const button = target instanceof Element ? target.closest('button') : null
  if (button?.type === 'submit' && button.form?.checkValidity() === true)
    setTimeout(() => close(currentTarget))
}
