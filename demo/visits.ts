import { type Customer, pickCustomer } from './customers.ts'
import type { Random } from './random.ts'

/** Part of the last day, in hours before now; `fromHoursAgo` is the earlier end. */
export interface Hours {
  fromHoursAgo: number
  toHoursAgo: number
}

/** A kind of visit, and its frequency. Most of them fail. */
export interface Mishap {
  /** How often in 24 hours, over all releases of the service. */
  timesPerDay: number
  /** The only releases it happens in; all of them when absent. */
  releases?: readonly string[]
  /** The only environment it happens in. */
  environment?: 'production' | 'staging'
  /** An outage: it happens in these hours only. */
  hours?: Hours
}

/** One occurrence of a failure: its time and its customer. */
export interface Visit<M extends Mishap> {
  mishap: M
  customer: Customer
  /** Unix milliseconds, in the past. */
  happenedAt: number
}

export interface VisitPlan<M extends Mishap> {
  mishaps: readonly M[]
  release: string
  environment: 'production' | 'staging'
  /** When this release was running. */
  hours: Hours
  now: number
  random: Random
}

/** Staging sees a fraction of the traffic. */
const stagingShare = 0.15

const hourMs = 3_600_000

/** All visits of one deployment, oldest first. */
export function planVisits<M extends Mishap>(plan: VisitPlan<M>): Visit<M>[] {
  const visits = plan.mishaps.flatMap((mishap) => {
    const hours = overlap(plan.hours, mishap.hours)
    if (!isConcerned(plan, mishap) || hours === undefined) return []
    return Array.from({ length: countVisits(plan, mishap, hours) }, () => ({
      mishap,
      customer: pickCustomer(plan.random),
      happenedAt: Math.round(plan.now - (hours.toHoursAgo + plan.random() * lengthOf(hours)) * hourMs),
    }))
  })
  return visits.toSorted((a, b) => a.happenedAt - b.happenedAt)
}

function isConcerned(plan: VisitPlan<Mishap>, mishap: Mishap): boolean {
  if (mishap.environment !== undefined && mishap.environment !== plan.environment) return false
  return mishap.releases === undefined || mishap.releases.includes(plan.release)
}

function countVisits(plan: VisitPlan<Mishap>, mishap: Mishap, hours: Hours): number {
  const share = plan.environment === 'staging' && mishap.environment === undefined ? stagingShare : 1
  const times = mishap.timesPerDay * share * (lengthOf(hours) / lengthOf(mishap.hours ?? allDay))
  const whole = Math.floor(times)
  return plan.random() < times - whole ? whole + 1 : whole
}

const allDay: Hours = { fromHoursAgo: 24, toHoursAgo: 0 }

function overlap(a: Hours, b: Hours = allDay): Hours | undefined {
  const hours = {
    fromHoursAgo: Math.min(a.fromHoursAgo, b.fromHoursAgo),
    toHoursAgo: Math.max(a.toHoursAgo, b.toHoursAgo),
  }
  return hours.fromHoursAgo > hours.toHoursAgo ? hours : undefined
}

function lengthOf(hours: Hours): number {
  return hours.fromHoursAgo - hours.toHoursAgo
}
