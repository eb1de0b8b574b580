import type { RegisteredRouter } from '@tanstack/react-router'

/** The entries of this tab's history that this document has seen. */
export interface HistoryTrail {
  /** The current entry. */
  current(): string
  /** The distance from the current entry to the newest earlier entry that matches: -1 is the previous one. */
  findDistance(matches: (entry: string) => boolean): number | undefined
  stop(): void
}

/** Tracks the router's history. Entries that a new navigation replaces are removed. */
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
