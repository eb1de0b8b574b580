import type { KeyboardEvent, MouseEvent, FocusEvent, ReactNode } from 'react'
import { Later } from './later.tsx'

/**
 * A button that opens a panel with further choices: `details`, so that it works before any script has run. With scripts Escape,
 * a choice, and leaving it close it.
 */
export function Menu({
  label,
  isLabelShown = true,
  icon,
  children,
}: {
  label: string
  /** False where the icon stands for it. */
  isLabelShown?: boolean
  icon?: ReactNode
  children: ReactNode
}) {
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

/** What closes a menu: Escape, leaving it, and a choice. For `details`. */
export const menuBehaviour = { onKeyDown: closeOnEscape, onBlur: closeWhenLeft, onClick: closeAfterChoice }

function close(menu: HTMLDetailsElement): void {
  const hadFocus = menu.contains(document.activeElement)
  menu.removeAttribute('open')
  if (hadFocus) menu.querySelector('summary')?.focus()
}

function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>): void {
  if (event.key !== 'Escape' || !event.currentTarget.open) return
  event.stopPropagation()
  close(event.currentTarget)
}

/** A click beside it takes the focus to the page, or nowhere. */
function closeWhenLeft({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>): void {
  if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget))
    currentTarget.removeAttribute('open')
}

/** After the form has been sent, which a button that is gone would not do. */
function closeAfterChoice({ currentTarget, target }: MouseEvent<HTMLDetailsElement>): void {
  const button = target instanceof Element ? target.closest('button') : null
  if (button?.type === 'submit' && button.form?.checkValidity() === true)
    setTimeout(() => close(currentTarget))
}
