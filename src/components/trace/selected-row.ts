import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the row of the selected span in sight, above its details, and gives it the focus back when they are
 * closed from within them.
 */
export function useSelectedRow(grid: RefObject<HTMLElement | null>, selectedId: string | undefined): void {
  const last = useRef<HTMLElement>(null)
  useEffect(() => {
    if (selectedId !== undefined) {
      const row = grid.current?.querySelector<HTMLElement>('[aria-selected="true"]') ?? null
      row?.scrollIntoView({ block: 'nearest' })
      last.current = row
    } else if (document.activeElement === document.body) last.current?.focus({ preventScroll: true })
  }, [grid, selectedId])
}
