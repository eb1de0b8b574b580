/**
 * The router's option `scrollRestoration`: true, but not for the first rendering in the browser. There the
 * browser, or the router's script in the HTML, has restored the position already, and the reader may have
 * scrolled since: the router would jump back when the page is hydrated.
 */
export function restoreAfterHydration(): () => boolean {
  let isHydrating = !import.meta.env.SSR
  return () => {
    const isRestored = !isHydrating
    isHydrating = false
    return isRestored
  }
}
