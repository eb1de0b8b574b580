/** Shows the top of a list that has new rows there, with the cursor on the first. Only in the browser. */
export function focusFirstRow(): void {
  requestAnimationFrame(() => {
    window.scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector<HTMLElement>('tbody a.row-link')?.focus({ preventScroll: true })
  })
}
