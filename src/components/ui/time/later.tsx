import { useDeferredValue, type ReactNode } from 'react'
import { useHydrated } from '#components/ui/use-hydrated.ts'

/**
 * What nobody sees first (folded, or further down): part of the page that the server sends, but rendered
 * after the first paint where the browser makes the page itself. With `keepsRoom` it is high until then, so
 * that the place on the page that somebody goes back to is there.
 */
export function Later({ keepsRoom = false, children }: { keepsRoom?: boolean; children: ReactNode }) {
  // The server and the first render in the browser have to say the same.
  const isThere = useDeferredValue(true, !useHydrated())
  if (isThere) return children
  return keepsRoom ? <div className="later" /> : null
}
