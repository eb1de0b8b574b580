import { type RefObject, useEffect, useRef } from 'react'
import type { TreeRows } from './tree-rows.ts'

interface SelectedRow {
  grid: RefObject<HTMLElement | null>
  selectedId: string | undefined
  tree: TreeRows
  rowHeight: number
}

/**
 * Keeps the row of the selected span in sight, above its details, and gives it the focus back when they are
 * closed from within them. A row that is below a collapsed one is revealed.
 */
export function useSelectedRow({ grid, selectedId, tree, rowHeight }: SelectedRow): void {
  const last = useRef<HTMLElement>(null)
  /** The span that is to be shown, once its row is loaded. */
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    wanted.current = selectedId
    if (selectedId === undefined && document.activeElement === document.body)
      last.current?.focus({ preventScroll: true })
  }, [selectedId])
  useEffect(() => {
    const spanId = wanted.current
    if (spanId === undefined) return
    const row = grid.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (row) {
      row.scrollIntoView({ block: 'nearest' })
      last.current = row
      wanted.current = undefined
      return
    }
    const position = tree.visible.findIndex((each) => each.spanId === spanId)
    if (position === -1) tree.reveal(spanId)
    else grid.current?.scrollTo({ top: position * rowHeight - grid.current.clientHeight / 2 })
  })
}
