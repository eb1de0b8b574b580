import { isUptime } from '#monitors/uptime.ts'
import type { CheckInStatus } from '#monitors/verdicts.ts'
import { limits } from '#server/limits.ts'
import type { Organization } from '#server/store/accounts/organizations.ts'
import { countCheckIns } from '#server/store/monitors/counts.ts'
import { listIncidents } from '#server/store/monitors/incidents.ts'
import { listMonitorEnvironments, type ListedEnvironment } from '#server/store/monitors/listed-monitors.ts'
import type { Monitor } from '#server/store/monitors/monitors.ts'
import type { StatusStep } from '#server/store/monitors/records.ts'
import { listPublicMonitors } from '#server/store/monitors/status-page.ts'
import type { Store } from '#server/store/store.ts'
import { dayMs, minuteMs, stepOf, stepsUntil } from '#time/time-steps.ts'

/** The current state of a monitor. */
export type PublicState = 'up' | 'down' | 'unknown' | 'paused'

/** A day of a monitor. */
export interface PublicDay {
  /** Unix milliseconds. */
  at: number
  /** The share of successes among check-ins with a known end, 0 to 1; absent without one. */
  okShare?: number
}

/** A monitor on a status page, without its settings. */
export interface PublicMonitor {
  name: string
  state: PublicState
  /** 90 days, oldest first. */
  days: PublicDay[]
  /** The share of successes on all days. */
  okShare?: number
}

/** A period in which a monitor was down. Unix milliseconds. */
export interface PublicIncident {
  name: string
  beganAt: number
  endedAt?: number
}

/** The contents of a status page. */
export interface StatusPageView {
  organizationName: string
  /** The time of the shown minute. Unix milliseconds. */
  at: number
  monitors: PublicMonitor[]
  incidents: PublicIncident[]
}

const shownDays = 90
const failures: ReadonlySet<CheckInStatus> = new Set(['error', 'missed', 'timeout'])

/** Reads the status page of an organization. Four statements. */
export async function readStatusPageView(
  { db, clock }: Pick<Store, 'db' | 'clock'>,
  { id, name }: Organization,
): Promise<StatusPageView> {
  const now = clock()
  const monitors = await listPublicMonitors(db, id)
  const [environments, counts, incidents] = await Promise.all([
    listMonitorEnvironments(db, monitors),
    countCheckIns(db, monitors, stepsUntil(now, { stepMs: dayMs, stepCount: shownDays })),
    listIncidents(db, monitors, {
      since: now - limits.statusPageIncidentsMs,
      limit: limits.statusPageIncidents,
    }),
  ])
  const names = new Map(monitors.map((monitor) => [monitor.id, monitor.publicName]))
  return {
    organizationName: name,
    at: stepOf(now, minuteMs),
    monitors: monitors.map((monitor) => {
      const ofMonitor = ({ monitorId }: { monitorId: string }) => monitorId === monitor.id
      const head = { name: monitor.publicName, state: stateOf(monitor, environments.filter(ofMonitor), now) }
      return Object.assign(head, daysOf(counts.filter(ofMonitor), now))
    }),
    incidents: incidents.map(({ monitorId, beganAt, endedAt }) => ({
      name: names.get(monitorId) ?? '',
      beganAt,
      endedAt,
    })),
  }
}

/** Down if one environment is. Unknown before the first result, and while no process runs checks. */
function stateOf(monitor: Monitor, environments: readonly ListedEnvironment[], now: number): PublicState {
  if (monitor.isPaused) return 'paused'
  if (environments.some(({ state }) => state.isFailing)) return 'down'
  const isLate = isUptime(monitor.settings) && environments.some(({ state }) => state.slot.closesAt < now)
  const isKnown = environments.some(({ state }) => state.lastStatus !== 'unknown')
  return isKnown && !isLate ? 'up' : 'unknown'
}

function daysOf(counts: readonly StatusStep[], now: number): Pick<PublicMonitor, 'days' | 'okShare'> {
  const { since } = stepsUntil(now, { stepMs: dayMs, stepCount: shownDays })
  const sums = Array.from({ length: shownDays }, () => ({ ok: 0, failed: 0 }))
  const total = { ok: 0, failed: 0 }
  for (const { step, status, count } of counts) {
    const isFailure = failures.has(status)
    if (status !== 'ok' && !isFailure) continue
    for (const sum of [sums[step], total]) if (sum !== undefined) sum[isFailure ? 'failed' : 'ok'] += count
  }
  return {
    days: sums.map((sum, index) => ({ at: since + index * dayMs, okShare: toShare(sum) })),
    okShare: toShare(total),
  }
}

function toShare({ ok, failed }: { ok: number; failed: number }): number | undefined {
  return ok + failed === 0 ? undefined : ok / (ok + failed)
}
