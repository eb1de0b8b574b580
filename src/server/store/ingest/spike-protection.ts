import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { SpikeProtectionSettings } from '#server/store/projects/settings.ts'

/** Decides which events of a flooding issue are stored; the others are only counted. */
export interface SpikeProtection {
  /** Returns whether to store an event. Call once for each event, in write order. */
  keeps(issueId: number, receivedAt: number, settings: SpikeProtectionSettings): boolean
  /** Call after the transaction of these events has been committed. */
  committed(): void
  /** Call after a rollback: the events since the last commit are written again. */
  rolledBack(): void
}

interface Window {
  startedAt: number
  eventCount: number
  lastKeptAt: number
}

/**
 * Keeps the first `fullEvents` of an issue in a window, then one in `sampleEvery`, and at least one a minute
 * while there are any, so that an issue in a loop shows its current events and cannot fill the disk. The
 * state is in memory: a restart begins a new window.
 */
export function createSpikeProtection(): SpikeProtection {
  const windows = new BoundedMap<number, Window>(limits.spikeProtectedIssues)
  /** The windows that the transaction has changed, as they were before. */
  const before = new Map<number, Window>()
  return {
    keeps(issueId, receivedAt, { fullEvents, windowSeconds, sampleEvery }) {
      const window = windows.getOrCreate(issueId, () => ({
        startedAt: receivedAt,
        eventCount: 0,
        lastKeptAt: receivedAt,
      }))
      if (!before.has(issueId)) before.set(issueId, { ...window })
      // The absolute difference: a clock that was set back opens a new window instead of keeping the old one
      // open.
      if (Math.abs(receivedAt - window.startedAt) >= windowSeconds * 1000) {
        window.startedAt = receivedAt
        window.eventCount = 0
      }
      window.eventCount += 1
      const surplus = window.eventCount - fullEvents
      const isKept =
        surplus <= 0 ||
        surplus % sampleEvery === 0 ||
        Math.abs(receivedAt - window.lastKeptAt) >= limits.spikeProtectionSampleMs
      if (isKept) window.lastKeptAt = receivedAt
      return isKept
    },
    committed: () => before.clear(),
    rolledBack() {
      for (const [issueId, window] of before) windows.set(issueId, window)
      before.clear()
    },
  }
}
