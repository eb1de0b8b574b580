import { Outlet } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { FailurePage } from '#components/failure/failure-page.tsx'
import type { NavigationWatch } from '#navigation/navigation-watch.ts'
import { FailureScreen } from './-failure-screen.tsx'

/** The screen of the URL, or the failure page when its code did not come in time or an event of the router failed. */
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
  // The router still waits for the code, and only a new document can ask for it again.
  return <FailurePage side="client" timedOutUrl={timedOutHref} onRetry={() => location.reload()} />
}
