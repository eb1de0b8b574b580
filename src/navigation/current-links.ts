/** A navigation link to the current screen. */
const currentLink = 'nav a[aria-current="page"]'

/**
 * Calls back before the browser follows a click on the link of the current screen; `isSame` is true if the
 * URL is the same, too: a user who clicks it wants current data. Only in the browser. Returns the stop
 * function.
 */
export function followCurrentLinks(onCurrent: (isSame: boolean) => void): () => void {
  const events = new AbortController()
  function follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest(currentLink) : null
    if (!(link instanceof HTMLAnchorElement) || hasModifier(event)) return
    // The link of a section is current on all its pages.
    if (link.pathname === location.pathname) onCurrent(link.search === location.search)
  }
  document.addEventListener('click', follow, { capture: true, signal: events.signal })
  return () => events.abort()
}

function hasModifier({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button !== 0 || altKey || ctrlKey || metaKey || shiftKey
}
