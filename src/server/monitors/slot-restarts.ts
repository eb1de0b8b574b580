import { listMonitoredProjects, restartSlots, type MonitorStep } from '#server/store/monitors/apply.ts'
import type { Store } from '#server/store/store.ts'

/**
 * Restarts the slots of monitors after the clock was set back. A project for which this fails is retried in
 * the next check: its slots are in the future, so that no run would be missed until then.
 */
export class SlotRestarts {
  private readonly store: Store
  /** The projects to restart, and which of their monitors. */
  private readonly waiting = new Map<number, 'all' | 'uptime'>()

  constructor(store: Store) {
    this.store = store
  }

  /** Requests the restart of monitors of all projects. */
  async request(kind: 'all' | 'uptime'): Promise<void> {
    for (const projectId of await listMonitoredProjects(this.store.db))
      if (this.waiting.get(projectId) !== 'all') this.waiting.set(projectId, kind)
  }

  /** Restarts the requested monitors. */
  async run({ now, failures }: Pick<MonitorStep, 'now' | 'failures'>): Promise<void> {
    for (const [projectId, kind] of this.waiting) {
      await restartSlots(this.store, { now, failures }, { projectId, kind })
      if (!failures.has(projectId)) this.waiting.delete(projectId)
    }
  }
}
