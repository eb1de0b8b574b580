import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { createKnownRules } from '#server/store/alerts/rules.ts'
import { compareThresholds } from '#server/store/alerts/thresholds.ts'
import type { ThresholdTurns } from '#server/store/alerts/thresholds.ts'
import { findUnavailability } from '#server/store/errors.ts'
import type { Store } from '#server/store/store.ts'

/** Lets the rules of alerts decide about what happened to issues. */
export interface AlertDecider {
  /** Checks every `limits.alertTickMs`: for transitions of other processes, and of people. */
  start(): void
  /** Signals that events were committed: checks after `limits.alertWakeMs`. Does nothing before the start. */
  wake(): void
  /** Checks now. Logs failures. */
  look(): Promise<void>
  stop(): Promise<void>
}

export interface AlertDeciderOptions {
  store: Store
  log: Log
  /** A mail server is set. */
  hasMail: boolean
}

/** Creates a stopped decider. Several processes may run one each: each transition is decided once. */
export function createAlertDecider({ store, log, hasMail }: AlertDeciderOptions): AlertDecider {
  let interval: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  let deciding: Promise<void> | undefined
  let comparing: Promise<void> | undefined
  const knownRules = createKnownRules()

  const turns: ThresholdTurns = new Map()

  const report = (error: unknown) => {
    // The store logs its own unavailability. The next check retries.
    if (!findUnavailability(error)) log.error({ err: error }, 'alerts could not be decided')
  }
  const decideAll = async () => {
    while ((await decideWaitingAlerts(store, { now: store.clock(), hasMail, knownRules })) > 0);
  }
  const decide = () => {
    deciding ??= decideAll()
      .catch(report)
      .finally(() => {
        deciding = undefined
      })
    return deciding
  }
  const compareAll = async () => {
    const count = await compareThresholds(store, { now: store.clock(), knownRules, turns })
    // What was queued while the decisions were made may have been missed.
    if (count > 0) await decide().then(decide)
  }
  /** Takes its time where many issues are watched, which holds up no decision. */
  const compare = () => {
    comparing ??= compareAll()
      .catch(report)
      .finally(() => {
        comparing = undefined
      })
    return comparing
  }
  const look = async () => {
    await Promise.all([decide(), compare()])
  }
  return {
    start() {
      interval = setInterval(() => void look(), limits.alertTickMs).unref()
    },
    wake() {
      if (interval === undefined || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        void look()
      }, limits.alertWakeMs).unref()
    },
    look,
    async stop() {
      clearInterval(interval)
      clearTimeout(timer)
      interval = undefined
      await Promise.all([deciding, comparing])
    },
  }
}
