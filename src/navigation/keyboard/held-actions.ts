export interface HeldActionsOptions<Action> {
  perform: (action: Action) => boolean
  /** Milliseconds of a clock that only grows. */
  now: () => number
  /** The load time after which pending actions are discarded. */
  limitMs: number
  /** Calls back when the result of an action is rendered. */
  afterRendering: (callback: () => void) => void
}

/** Actions that are meant for the page that is on its way, not for the one that is still on view. */
export interface HeldActions<Action> {
  /**
   * Performs the action, or holds it while a page is on its way. False when there is nothing that it could be
   * done to.
   */
  press(action: Action): boolean
  /** A page is on its way. */
  begin(): void
  /** Performs the pending actions after the page has loaded, up to the next action that leaves the page. */
  end(): void
  /** Discards the pending actions. */
  drop(): void
}

/**
 * Holds actions while a page is on its way: after "back to the list" and "next row", "resolve" is for the
 * next row of the list, however quickly the three were pressed.
 */
export function createHeldActions<Action>({
  perform,
  now,
  limitMs,
  afterRendering,
}: HeldActionsOptions<Action>): HeldActions<Action> {
  let begunAt: number | undefined
  let held: Action[] = []

  const isOnItsWay = () => begunAt !== undefined && now() - begunAt < limitMs

  function drop(): void {
    held = []
  }

  /** One after another, so that each finds the page as the one before has left it. */
  function performNext(): void {
    if (isOnItsWay()) return
    const action = held.shift()
    if (action === undefined) return
    perform(action)
    afterRendering(performNext)
  }

  return {
    press(action) {
      if (begunAt !== undefined && !isOnItsWay()) {
        begunAt = undefined
        drop()
      }
      if (begunAt === undefined && held.length === 0) return perform(action)
      held.push(action)
      return true
    },
    begin() {
      begunAt = now()
    },
    end() {
      if (!isOnItsWay()) drop()
      begunAt = undefined
      performNext()
    },
    drop,
  }
}
