/** The events of TanStack Router's navigations. */
export interface NavigationEvents {
  subscribe(
    event: 'onBeforeNavigate' | 'onResolved',
    listener: (event: { toLocation: { href: string } }) => void,
  ): () => void
}

/**
 * Reports errors of the router's event listeners to `onError`. The router catches them, prints them to the
 * console and continues, so that no error page and no report follows.
 */
export function guardEvents(router: NavigationEvents, onError: (thrown: unknown) => void): void {
  const subscribe = router.subscribe.bind(router)
  router.subscribe = (event, listener) =>
    subscribe(event, (details) => {
      try {
        listener(details)
      } catch (thrown) {
        onError(thrown)
      }
    })
}
