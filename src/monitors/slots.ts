import { dayMs, minuteMs } from '#time/time-steps.ts'
import { nextLocalTime, parseCrontab, type Crontab } from './crontab.ts'
import { intervalMs, type MonitorSchedule, type MonitorSettings } from './schedule.ts'
import { isUptime, type StoredSettings, type UptimeSettings } from './uptime.ts'
import { findOffsetChange, instantsOf, offsetAt } from './zone-offsets.ts'

/** One expected run. Unix milliseconds. */
export interface Slot {
  /** When the run is expected. */
  at: number
  /** Check-ins from this time on belong to this slot: they may be early by the margin. */
  opensAt: number
  /** Without a check-in until this time, the run is missed. */
  closesAt: number
}

const parsedCrontabs = new Map<string, Crontab>()
const keptCrontabs = 5_000

function crontabOf(text: string): Crontab {
  const known = parsedCrontabs.get(text)
  if (known !== undefined) return known
  const parsed = parseCrontab(text)
  // The schema has checked it.
  if (!parsed.ok) throw new Error(parsed.problem)
  if (parsedCrontabs.size >= keptCrontabs) parsedCrontabs.clear()
  parsedCrontabs.set(text, parsed.crontab)
  return parsed.crontab
}

/**
 * The first time of a crontab after an instant. No run is expected at a local time that a change to
 * daylight-saving time skips. In a repeated hour the first time is expected, unless the crontab runs each
 * hour: then both are.
 */
export function nextCrontabTime(
  { crontab: text, timeZone }: { crontab: string; timeZone: string },
  after: number,
): number {
  const crontab = crontabOf(text)
  let from = after
  /** The zone has the offset from this time on. */
  let since = after
  let offset = offsetAt(after, timeZone)
  for (;;) {
    const local = nextLocalTime(crontab, from + offset)
    if (local === undefined) return Infinity
    const at = local - offset
    if (offsetAt(at, timeZone) !== offset) {
      // The search continues at the change, in local times of the new offset.
      since = findOffsetChange(since, at, timeZone)
      offset = offsetAt(since, timeZone)
      from = since - 1
    } else if (!crontab.isHourly && isSecond(local, at, timeZone)) from = at
    else return at
  }
}

/** True for the second of two instants with the same local time. */
function isSecond(local: number, at: number, timeZone: string): boolean {
  const [first] = instantsOf(local, timeZone)
  return first !== undefined && first < at
}

/** The time until the local time of a slot is repeated; usually 0. */
function repeatedAfter(schedule: MonitorSchedule, at: number): number {
  if (schedule.kind !== 'crontab' || schedule.timeZone === 'UTC') return 0
  const { crontab, timeZone } = schedule
  if (crontabOf(crontab).isHourly) return 0
  const instants = instantsOf(at + offsetAt(at, timeZone), timeZone)
  return (instants.at(-1) ?? at) - at
}

/**
 * The time after its interval in which a check may still end: its timeout, that of a second target, and the
 * ticks of the clock.
 */
const checkGraceMs = 45_000

/** The slot that follows another one, or for an interval: the check-in at `previousAt`. */
export function slotAfter(settings: StoredSettings, previousAt: number): Slot {
  if (isUptime(settings)) {
    const uptimeMs = settings.intervalSeconds * 1_000
    const at = previousAt + uptimeMs
    return { at, opensAt: at, closesAt: at + uptimeMs + checkGraceMs }
  }
  const { schedule, marginMinutes } = settings
  const at = nextTime(schedule, previousAt)
  const marginMs = marginMinutes * minuteMs
  const opensAt = at - Math.min(marginMs, Math.floor((at - previousAt) / 2))
  const latestAt = at + marginMs + repeatedAfter(schedule, at)
  // A late check-in belongs to the previous slot until the next run is expected.
  return { at, opensAt, closesAt: Math.min(latestAt, Math.max(nextTime(schedule, at), at + minuteMs)) }
}

/** The last slot of an uptime monitor until an instant, in the same phase as `at`. */
export function lastSlotAt({ intervalSeconds }: UptimeSettings, at: number, until: number): number {
  const intervals = Math.floor((until - at) / (intervalSeconds * 1_000))
  return at + Math.max(0, intervals) * intervalSeconds * 1_000
}

function nextTime(schedule: MonitorSchedule, after: number): number {
  return schedule.kind === 'interval' ? after + intervalMs(schedule) : nextCrontabTime(schedule, after)
}

/**
 * The slot of a first check-in, or the next slot if it belongs to none. An interval starts with its first
 * check-in.
 */
export function firstSlot(settings: MonitorSettings, at: number): Slot {
  const { schedule } = settings
  if (schedule.kind === 'interval') return { at, opensAt: at, closesAt: at }
  let slot = slotAfter(settings, previousCrontabTime(schedule, at))
  while (slot.closesAt <= at) slot = slotAfter(settings, slot.at)
  return slot
}

/** A time of the crontab at least one before the last one until an instant. */
function previousCrontabTime(schedule: { crontab: string; timeZone: string }, until: number): number {
  for (let spanMs = 5 * minuteMs; spanMs < 50 * 366 * dayMs; spanMs *= 4) {
    const at = nextCrontabTime(schedule, until - spanMs)
    if (at <= until && nextCrontabTime(schedule, at) <= until) return at
  }
  return until
}
