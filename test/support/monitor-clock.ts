import type { CheckIn } from '#monitors/check-in.ts'
import type { MonitorSettings } from '#monitors/schedule.ts'
import { limits } from '#server/limits.ts'
import { createLog } from '#server/log.ts'
import { createMonitorClock } from '#server/monitors/monitor-clock.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import { minuteMs } from '#time/time-steps.ts'
import { processEnvelope, readEnvelope } from './envelope-work.ts'
import { entryOf, openTestStore } from './test-store.ts'

const log = createLog('silent')
const tickMs = limits.monitorGapMs
/** The time at which the clock of `openMonitorClock` begins: 2026-05-01 10:00 UTC. */
export const monitorClockStart = Date.UTC(2026, 4, 1, 10)

export const everyTenMinutes: MonitorSettings = {
  schedule: { kind: 'crontab', crontab: '*/10 * * * *', timeZone: 'UTC' },
  marginMinutes: 2,
  maxRuntimeMinutes: 5,
  failureThreshold: 1,
  recoveryThreshold: 1,
}

/** A store whose clock the test sets, with the ingest of the envelopes that a clock of monitors sends. */
export async function openMonitorStore() {
  let now = monitorClockStart
  const store = await openTestStore({ clock: () => now })
  const committer = createCommitter(store, log)
  const ingest = async ({ projectId, body }: { projectId: number; body: Uint8Array }) => {
    const { work } = processEnvelope(readEnvelope(body), { projectId, receivedAt: now })
    await committer.commit(work)
  }
  return { store, committer, ingest, at: () => now, setTime: (to: number) => void (now = to) }
}

/** A store whose clock the test sets, and a clock of monitors on it. */
export async function openMonitorClock(settings = everyTenMinutes, isServerless = false) {
  let failsToIngest = false
  const { store, committer, at, setTime, ...monitors } = await openMonitorStore()
  const ingest: typeof monitors.ingest = async (envelope) => {
    await monitors.ingest(envelope)
    // Simulates a process that is killed after the commit.
    if (failsToIngest) throw new Error('killed')
  }
  const createClock = (on: Store = store) =>
    createMonitorClock({
      store: on,
      log,
      isServerless,
      ingest,
      uptime: { privateDestinations: { networks: [], hosts: [] } },
    })
  let clock = createClock()
  const run = async (until: number) => {
    for (; at() < until; setTime(Math.min(at() + tickMs, until))) await clock.check()
    await clock.check()
  }
  return {
    store,
    run,
    createClock,
    read: (sql: string) => store.connection.prepare(sql).all(),
    at,
    setTime,
    kill: (isKilled: boolean) => void (failsToIngest = isKilled),
    replaceClock: async () => {
      await clock.stop()
      clock = createClock()
    },
    /** Advances the time, then sends a check-in. */
    send: async (until: number, fields: Partial<CheckIn> = {}) => {
      await run(until)
      const config = { ok: true, settings } as const
      const checkIn: CheckIn = { slug: 'nightly', environment: 'production', status: 'ok', config, ...fields }
      await committer.commit({ ...entryOf(), checkIns: [{ projectId: 1, receivedAt: at(), checkIn }] })
      await clock.check()
    },
  }
}

/** Reads the check-ins, the oldest first. */
export const checkInsSql = 'SELECT status, slot_at FROM monitor_check_ins ORDER BY at, id'
/** Reads the issues, the oldest first. */
export const monitorIssuesSql =
  'SELECT type, title, subtitle, culprit, status, event_count FROM issues ORDER BY number'

/** Minutes between the start of the clock and a slot; null for a run outside the schedule. */
export function minutesToSlot(slot: unknown): number | null {
  return typeof slot === 'number' ? (slot - monitorClockStart) / minuteMs : null
}
