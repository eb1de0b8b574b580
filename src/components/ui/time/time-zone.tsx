import { createContext, type ReactNode, startTransition, use, useEffect, useState } from 'react'
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
  const [browserZone, setBrowserZone] = useState<TimeZone>('UTC')
  // In a transition: another update would remove the HTML of lazy parts whose code is still loading.
  useEffect(() => startTransition(() => setBrowserZone(findBrowserZone())), [])
  return <TimeZoneContext value={chosen ?? browserZone}>{children}</TimeZoneContext>
}

/** The zone in which times are written; UTC outside of a `TimeZoneProvider`. */
export function useTimeZone(): TimeZone {
  return use(TimeZoneContext)
}

function findBrowserZone(): TimeZone {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
