import { dayMs, minuteMs } from '#time/time-steps.ts'
import { toWallTime, type TimeZone } from '#time/time-zone.ts'

/** Zones change their offset at multiples of this time. */
const stepMs = 15 * minuteMs

/** Maximum number of cached offsets per zone. */
const keptOffsets = 2_000

const known = new Map<TimeZone, Map<number, number>>()

/** The offset of a zone from UTC. Cached per quarter of an hour, because formatting takes microseconds. */
export function offsetAt(at: number, zone: TimeZone): number {
  if (zone === 'UTC') return 0
  const step = Math.floor(at / stepMs)
  const ofZone = known.get(zone) ?? new Map<number, number>()
  const found = ofZone.get(step)
  if (found !== undefined) return found
  const { offsetMs } = toWallTime(step * stepMs, zone)
  if (ofZone.size >= keptOffsets) ofZone.clear()
  ofZone.set(step, offsetMs)
  known.set(zone, ofZone)
  return offsetMs
}

/** The first instant after `from` at which a zone has another offset than at `from`; `to` has another one. */
export function findOffsetChange(from: number, to: number, zone: TimeZone): number {
  const offset = offsetAt(from, zone)
  let [low, high] = [Math.floor(from / stepMs), Math.ceil(to / stepMs)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * stepMs, zone) === offset) low = middle
    else high = middle
  }
  return high * stepMs
}

/** The instants at which a zone shows a local time: none in a gap, two in a repeated hour. */
export function instantsOf(local: number, zone: TimeZone): number[] {
  const offsets = new Set([offsetAt(local - dayMs, zone), offsetAt(local + dayMs, zone)])
  return [...offsets]
    .map((offset) => local - offset)
    .filter((at) => offsetAt(at, zone) === local - at)
    .toSorted((one, other) => one - other)
}
