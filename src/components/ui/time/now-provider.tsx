import { createContext, use, useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react'
import { observeServerTime, readClock, subscribeToClock } from './browser-clock.ts'

/** The values that `Time` needs to show a relative time. */
export interface Clock {
  /** Unix milliseconds. */
  now: number
}

const ClockContext = createContext<Clock | undefined>(undefined)

/**
 * Provides the current time to every `Time`. `now` is the server time that page data carries (`view.now`),
 * so that the server and the hydrating browser write the same words; afterwards the clock moves every 30 s by
 * itself.
 */
export function NowProvider({ now, children }: { now: number; children: ReactNode }) {
  const clock = useSyncExternalStore(subscribeToClock, readClock, () => undefined)
  useEffect(() => observeServerTime(now), [now])
  const latest = Math.max(now, clock ?? now)
  // By the number: the first reading after hydration is mostly the same, and every `Time` would render again.
  const value = useMemo(() => ({ now: latest }), [latest])
  return <ClockContext value={value}>{children}</ClockContext>
}

/** The clock of the nearest `NowProvider`, or undefined outside of one: then only exact times are shown. */
export function useClock(): Clock | undefined {
  return use(ClockContext)
}
