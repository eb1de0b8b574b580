import type { RegisteredRouter } from '@tanstack/react-router'

/** The menus of `ui/menu.tsx`. */
const openMenu = 'details[data-menu][open]'

/**
 * Closes what is open above the page: all of it when another page is opened, since the frame and lists with
 * other filters stay, and a menu when the user clicks outside of it. Safari does not focus the menu's button
 * on a click, so that the menu never loses the focus there. Only in the browser. Returns the stop function.
 */
export function closeMenus(router: RegisteredRouter): () => void {
  const events = new AbortController()
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      for (const menu of document.querySelectorAll(openMenu))
        if (target instanceof Node && !menu.contains(target)) menu.removeAttribute('open')
    },
    { signal: events.signal },
  )
  const stopFollowing = router.subscribe('onBeforeNavigate', ({ hrefChanged }) => {
    if (!hrefChanged) return
    for (const menu of document.querySelectorAll(openMenu)) menu.removeAttribute('open')
    for (const panel of document.querySelectorAll<HTMLElement>(':popover-open')) panel.hidePopover()
  })
  return () => {
    events.abort()
    stopFollowing()
  }
}
