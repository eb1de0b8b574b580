import type { NavigationEvents } from './navigation-events.ts'

/**
 * Reports errors of the router's event listeners: the router only prints them to the console and continues.
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
