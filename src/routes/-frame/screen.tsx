import { Outlet } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { LoadTimeoutError } from '#navigation/load-limit.ts'
import type { NavigationWatch } from '#navigation/navigation-watch.ts'
import { appConfig } from '../../../app.config.ts'
import { FailureScreen } from './failure-screen.tsx'

/** The screen of the URL, or the failure page if its code exceeds the time limit or an event failed. */
export function Screen({ navigationWatch }: { navigationWatch: NavigationWatch | undefined }) {
  const subscribe = (listener: () => void) => navigationWatch?.subscribe(listener) ?? (() => {})
  const timedOutHref = useSyncExternalStore(
    subscribe,
    () => navigationWatch?.timedOutHref(),
    () => undefined,
  )
  const eventError = useSyncExternalStore(
    subscribe,
    () => navigationWatch?.eventError(),
    () => undefined,
  )
  if (eventError !== undefined) return <FailureScreen error={eventError.thrown} />
  if (timedOutHref === undefined) return <Outlet />
  return <LateScreen key={timedOutHref} href={timedOutHref} />
}

/** The router still waits for the code of the page, and only a new document can load it again. */
function LateScreen({ href }: { href: string }) {
  const [error] = useState(() => new LoadTimeoutError(appConfig.routeLoadTimeoutMs))
  return <FailureScreen error={error} timedOutUrl={href} onRetry={() => location.reload()} />
}
