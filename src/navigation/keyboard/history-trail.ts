import type { RegisteredRouter } from '@tanstack/react-router'

/** The entries of this tab's history, as far as this document has seen them. */
export interface HistoryTrail {
  /** The entry that is shown. */
  current(): string
  /**
   * How far back from where the history is the newest earlier entry is that matches: -1 is the one before.
   */
  findDistance(matches: (entry: string) => boolean): number | undefined
  stop(): void
}

/**
 * Follows the router through the history. An entry that was overwritten by going another way is forgotten.
 */
export function followHistory(router: RegisteredRouter): HistoryTrail {
  const trail: string[] = []
  let shown = 0
  function follow(): void {
    const { state, href } = router.state.resolvedLocation ?? router.state.location
    const { __TSR_index: index, __TSR_key: key } = state
    shown = index
    trail[index] = key ?? href
  }
  follow()
  const stop = router.subscribe('onResolved', follow)
  return {
    current: () => trail[shown] ?? '',
    findDistance(matches) {
      // Ahead of the shown page during a navigation.
      const { __TSR_index: here } = router.history.location.state
      for (let at = here - 1; at >= 0; at--) {
        const entry = trail[at]
        if (entry !== undefined && matches(entry)) return at - here
      }
      return undefined
    },
    stop,
  }
}
