/**
 * Returns the focus to a control; if it is hidden, to the control that opens it, or to the page's content.
 * The focused element is about to be removed, and the next Tab would start at the top of the page. Only in
 * the browser.
 */
export function restoreFocus(control: Element | null): void {
  const opener = control?.closest('details')?.querySelector('summary')
  for (const element of [control, opener, document.querySelector('main')]) {
    if (element instanceof HTMLElement && element.isConnected && element.checkVisibility()) {
      element.focus()
      if (document.activeElement === element) return
    }
  }
}
