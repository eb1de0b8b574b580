import { useDeferredValue, type ReactNode } from 'react'
import { useHydrated } from './use-hydrated.ts'

/**
 * What nobody sees first: part of the page that the server sends, but rendered after the first paint where the browser makes
 * the page itself. Until then it keeps room, so that the place that somebody goes back to is there.
 */
export function Later({ children }: { children: ReactNode }) {
  // The server and the first render in the browser have to say the same.
  const isThere = useDeferredValue(true, !useHydrated())
  return isThere ? children : <div className="later" />
}
