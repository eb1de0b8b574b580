export interface PendingActionsOptions<Action> {
  perform: (action: Action) => boolean
  /** Milliseconds of a clock that only grows. */
  now: () => number
  /** The load time after which pending actions are discarded. */
  limitMs: number
  /** Calls back when the result of an action is rendered. */
  afterRendering: (callback: () => void) => void
}

/** Actions for the page that is loading, not for the current page. */
export interface PendingActions<Action> {
  /** Performs the action, or queues it while a page loads. False if the page has no target for it. */
  press(action: Action): boolean
  /** A page starts to load. */
  begin(): void
  /** Performs the pending actions after the page has loaded, up to the next action that navigates. */
  end(): void
  /** Discards the pending actions. */
  drop(): void
}

/**
 * Queues actions while a page loads: after "back to the list" and "next row", "resolve" applies to the next
 * row of the list, however quickly the three keys are pressed.
 */
export function createPendingActions<Action>({
  perform,
  now,
  limitMs,
  afterRendering,
}: PendingActionsOptions<Action>): PendingActions<Action> {
  let begunAt: number | undefined
  let pending: Action[] = []

  const isLoading = () => begunAt !== undefined && now() - begunAt < limitMs

  function drop(): void {
    pending = []
  }

  /** One after another, so that each applies to the page after the previous action. */
  function performNext(): void {
    if (isLoading()) return
    const action = pending.shift()
    if (action === undefined) return
    perform(action)
    afterRendering(performNext)
  }

  return {
    press(action) {
      if (begunAt !== undefined && !isLoading()) {
        begunAt = undefined
        drop()
      }
      if (begunAt === undefined && pending.length === 0) return perform(action)
      pending.push(action)
      return true
    },
    begin() {
      begunAt = now()
    },
    end() {
      if (!isLoading()) drop()
      begunAt = undefined
      performNext()
    },
    drop,
  }
}
