/**
 * The router's option `scrollRestoration`: true, but not for the first rendering in the browser. There the
 * browser, or the router's script in the HTML, has already restored the position, and the user may have
 * scrolled since: hydration would reset the position.
 */
export function restoreAfterHydration(): () => boolean {
  let isHydrating = !import.meta.env.SSR
  return () => {
    const isRestored = !isHydrating
    isHydrating = false
    return isRestored
  }
}
