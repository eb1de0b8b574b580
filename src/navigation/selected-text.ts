/** A click moves the pointer less. CSS pixels. */
const dragPixels = 4

/**
 * Leaves a `details` as it is when the user selects text of its `summary`, such as the path of a frame: the
 * browser takes the end of the selection for a click. Only in the browser. Returns the stop function.
 */
export function keepSelectedText(): () => void {
  const events = new AbortController()
  const { signal } = events
  let pressed: MouseEvent | undefined
  document.addEventListener('mousedown', (event) => (pressed = event), { signal })
  document.addEventListener(
    'click',
    (event) => {
      const summary = event.target instanceof Element ? event.target.closest('summary') : null
      const selection = getSelection()
      if (summary === null || pressed === undefined || selection?.isCollapsed !== false) return
      const moved = Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY)
      // A key that activates it, and the second click of a double click, have another detail.
      if (event.detail === 1 && moved >= dragPixels && summary.contains(selection.anchorNode))
        event.preventDefault()
    },
    { signal },
  )
  return () => events.abort()
}
