import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { Icon } from './icon.tsx'

interface ModalDialogProps {
  title: string
  /** False if its first element names it. */
  isTitleShown?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * A dialog above the page, which is inert meanwhile. It is open while it is rendered; Escape, a click outside
 * and its button close it, and the focus returns to the previous element.
 */
export function ModalDialog({ title, isTitleShown = true, onClose, children }: ModalDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the next key: a moment later it would be one of the page behind it.
  useLayoutEffect(() => {
    const element = dialog.current
    const focused = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true })
    }
  }, [])

  /** The area around the content belongs to the dialog element itself. */
  function closeFromOutside(event: MouseEvent) {
    if (event.target === dialog.current) onClose()
  }

  return (
    // Escape does what a click outside of the dialog does.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className="modal-dialog"
      aria-label={title}
      onClick={closeFromOutside}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="modal-dialog-content">
        {isTitleShown ? (
          <header>
            <h2>{title}</h2>
            <button type="button" className="icon-button" onClick={onClose} aria-label="Close">
              <Icon name="x" size={16} />
            </button>
          </header>
        ) : null}
        {children}
      </div>
    </dialog>
  )
}
