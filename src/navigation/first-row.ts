import { rowLink } from './row-link.ts'

/** Scrolls to the new rows at the top of a list, and the cursor to the first one. Only in the browser. */
export function focusFirstRow(): void {
  requestAnimationFrame(() => {
    window.scrollTo({ top: 0 })
    document.querySelector<HTMLElement>(`tbody ${rowLink}`)?.focus({ preventScroll: true })
  })
}
