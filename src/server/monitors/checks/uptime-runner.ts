import { isNetworkReason } from '#monitors/uptime.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { recordCheckResults, type MonitorResult, type MonitorStep } from '#server/store/monitors/apply.ts'
import {
  listDueChecks,
  planChecks,
  type DueCheck,
  type PlannedCheck,
} from '#server/store/monitors/due-checks.ts'
import type { Store } from '#server/store/store.ts'
import type { ConnectRule } from './connect-rule.ts'
import { runCheck } from './run-check.ts'
import type { NetworkTest } from './second-target.ts'

/** The dependencies of checks. */
export interface UptimeRunnerOptions {
  store: Store
  log: Log
  rule: ConnectRule
  network: NetworkTest
}

/** Runs the due checks of uptime monitors. The process with the monitors' lease calls it. */
export class UptimeRunner {
  private readonly options: UptimeRunnerOptions
  /** Checks in progress, and those whose result has not been applied yet, by slot. */
  private readonly running = new Map<string, Promise<void>>()
  private results: MonitorResult[] = []
  private readonly stopping = new AbortController()

  constructor(options: UptimeRunnerOptions) {
    this.options = options
  }

  /** Applies the results of completed checks. A slot that has ended meanwhile is not changed. */
  async apply(step: MonitorStep): Promise<void> {
    const { results } = this
    if (results.length === 0) return
    this.results = []
    try {
      await recordCheckResults(this.options.store, results, step)
    } catch (error) {
      // The next tick applies them.
      this.results.push(...results)
      throw error
    }
    for (const result of results) {
      if (step.failures.has(result.projectId)) this.results.push(result)
      else this.running.delete(keyOf(result))
    }
  }

  /**
   * Starts the due checks that are not in progress, without awaiting them. `until` aborts them without a
   * result: their slots are checked again.
   */
  async begin(now: number, until?: AbortSignal): Promise<void> {
    const { db } = this.options.store
    const room = limits.uptimeChecksAtOnce - this.running.size
    const due = (await listDueChecks(db, now)).filter((check) => !this.running.has(keyOf(check)))
    const planned = await planChecks(db, due.slice(0, Math.max(0, room)))
    const stopped = until ? AbortSignal.any([this.stopping.signal, until]) : this.stopping.signal
    if (stopped.aborted) return
    for (const check of planned) this.running.set(keyOf(check), this.check(check, stopped))
  }

  get isBusy(): boolean {
    return this.running.size > 0
  }

  /** Waits for the checks in progress. */
  async settle(): Promise<void> {
    await Promise.all(this.running.values())
  }

  /**
   * Aborts the checks in progress without a result, and starts no more: the next process checks their slots.
   */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.settle()
  }

  private async check(planned: PlannedCheck, stopped: AbortSignal): Promise<void> {
    const { store, log, rule, network } = this.options
    const { projectId, monitorId, slotAt, settings, isFirstFailure } = planned
    const startedAt = store.clock()
    try {
      const outcome = await runCheck(settings, { rule, now: store.clock, stopped })
      if (stopped.aborted) {
        this.running.delete(keyOf(planned))
        return
      }
      const { reason } = outcome.seen
      const isPossiblyOurs = isFirstFailure && reason !== undefined && isNetworkReason(reason)
      const isUnknown = isPossiblyOurs && !(await network.isUp(settings.target))
      this.results.push({
        ...outcome,
        projectId,
        monitorId,
        slotAt,
        startedAt,
        finishedAt: store.clock(),
        ...(isUnknown && {
          status: 'unknown',
          seen: {
            ...outcome.seen,
            detail: `${outcome.seen.detail}. The second target is also unreachable`,
          },
        }),
      })
    } catch (error) {
      // The database has failed: the slot is checked again.
      log.warn({ err: error }, 'an uptime check did not finish')
      this.running.delete(keyOf(planned))
    }
  }
}

function keyOf({ projectId, monitorId, slotAt }: DueCheck): string {
  return `${projectId} ${monitorId} ${slotAt}`
}
