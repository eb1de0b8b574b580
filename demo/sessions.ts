import type { Deployment } from './deployments.ts'
import type { Random } from './random.ts'

/** Sessions of a few hours, aggregated as server SDKs do before they send them. */
export interface CountedSessions {
  aggregates: { started: string; did: string; exited: number; errored: number; crashed: number }[]
}

/** Shares of sessions that crash; healthy releases have the default. */
const crashShares: Readonly<Record<string, number>> = {
  'api@2.4.0': 0.02,
  'web@1.6.0': 0.015,
}
const usualCrashShare = 0.0006

/** Buckets per envelope. */
const bucketsPerItem = 100

/** Hours before now at which the releases before the demo's day began: sessions may be five days old. */
const firstHoursAgo = 110

const hourMs = 3_600_000

/** The sessions of one deployment, by hour, each of a few of its visitors. */
export function planSessions(
  { release, environment, hours }: Deployment,
  { now, random }: { now: number; random: Random },
): CountedSessions[] {
  const from = hours.fromHoursAgo === 24 ? firstHoursAgo : hours.fromHoursAgo
  const hoursAgo = Array.from({ length: from - hours.toHoursAgo }, (_, index) => from - index)
  const crashShare = crashShares[release] ?? usualCrashShare
  const buckets = hoursAgo.flatMap((ago) => {
    const startedAt = now - ago * hourMs + hourMs / 2
    const visitors = environment === 'staging' ? 2 : Math.round(8 * dayCurve(startedAt) + 4 * random())
    return Array.from({ length: visitors }, () => {
      const sessions = 10 + Math.round(40 * random())
      const [crashed, errored] = [count(sessions * crashShare, random), count(sessions * 0.02, random)]
      const exited = Math.max(0, sessions - crashed - errored)
      const did = `visitor-${Math.floor(600 * random())}`
      return { started: new Date(startedAt).toISOString(), did, exited, errored, crashed }
    })
  })
  return Array.from({ length: Math.ceil(buckets.length / bucketsPerItem) }, (_, index) => ({
    aggregates: buckets.slice(index * bucketsPerItem, (index + 1) * bucketsPerItem),
  }))
}

/** A whole number with the given mean. */
function count(expected: number, random: Random): number {
  return Math.floor(expected + random())
}

/** Between 0.2 at four in the night and 1 in the afternoon. */
function dayCurve(at: number): number {
  const hour = (at / hourMs) % 24
  return 0.6 - 0.4 * Math.cos(((hour - 4) / 24) * 2 * Math.PI)
}
