import { createContext, type ReactNode, use, useSyncExternalStore } from 'react'
import type { TimeZone } from '#time/time-zone.ts'

const TimeZoneContext = createContext<TimeZone>('UTC')

/**
 * Provides every time below it with its time zone: the one that the user chose, else the
 * browser's. The server does not know the browser's: until the page has hydrated, and without JavaScript, it
 * is UTC.
 */
export function TimeZoneProvider({
  chosen,
  children,
}: {
  chosen: TimeZone | undefined
  children: ReactNode
}) {
  const browserZone = useSyncExternalStore(neverChanges, findBrowserZone, () => 'UTC')
  return <TimeZoneContext value={chosen ?? browserZone}>{children}</TimeZoneContext>
}

/** The zone in which times are written; UTC outside of a `TimeZoneProvider`. */
export function useTimeZone(): TimeZone {
  return use(TimeZoneContext)
}

const neverChanges = () => () => undefined

function findBrowserZone(): TimeZone {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
