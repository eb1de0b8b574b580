import { useRouterState } from '@tanstack/react-router'
import { useHydrated } from '#components/ui/use-hydrated.ts'

/**
 * A thin line along the header while the next page loads. It appears after a delay (200 ms, in the style
 * sheet), so that a quick page never flashes it, and never in the server's HTML.
 */
export function ProgressLine() {
  const isLoading = useRouterState({ select: (state) => state.status === 'pending' })
  const isPending = useHydrated() && isLoading
  return (
    <div className="progress-line" data-pending={isPending || undefined} role="status">
      {isPending ? <span className="visually-hidden">Loading</span> : null}
    </div>
  )
}
