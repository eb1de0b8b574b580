import type { NavigationEvents } from './navigation-events.ts'

/**
 * Lets nobody's listener fail unseen: the router tells the console what a listener of its events throws, and goes on.
 * From now on `onError` hears of it instead.
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
