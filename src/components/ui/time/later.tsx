import { useDeferredValue, type ReactNode } from 'react'
import { useHydrated } from '#components/ui/use-hydrated.ts'

/**
 * Defers content below the fold (or collapsed) until after the first paint when the browser renders the page;
 * the server always sends it. With `keepsRoom` a placeholder reserves the height until then, so that the
 * scroll position can be restored.
 */
export function Later({ keepsRoom = false, children }: { keepsRoom?: boolean; children: ReactNode }) {
  // The server and the first render in the browser have to match.
  const isThere = useDeferredValue(true, !useHydrated())
  if (isThere) return children
  return keepsRoom ? <div className="later" /> : null
}
