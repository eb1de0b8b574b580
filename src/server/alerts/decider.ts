import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import type { ParsedRules } from '#server/store/alerts/rules.ts'
import { compareThresholds } from '#server/store/alerts/thresholds.ts'
import type { ThresholdTurns } from '#server/store/alerts/thresholds.ts'
import { findUnavailability } from '#server/store/errors.ts'
import type { Store } from '#server/store/store.ts'

/** Lets the rules of alerts decide about what happened to issues. */
export interface AlertDecider {
  /** Checks every `limits.alertTickMs`: for transitions of other processes, and of people. */
  start(): void
  /** Says that events were committed: checks after `limits.alertWakeMs`. Does nothing before the start. */
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
  let looking: Promise<void> | undefined
  const parsedRules: ParsedRules = new Map()

  const turns: ThresholdTurns = new Map()

  const decideAll = async () => {
    try {
      await compareThresholds(store, { now: store.clock(), parsedRules, turns })
      while ((await decideWaitingAlerts(store, { now: store.clock(), hasMail, parsedRules })) > 0);
    } catch (error) {
      // The store logs its own unavailability. The next check retries.
      if (!findUnavailability(error)) log.error({ err: error }, 'alerts could not be decided')
    }
  }
  const look = () => {
    looking ??= decideAll().finally(() => {
      looking = undefined
    })
    return looking
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
      await looking
    },
  }
}
