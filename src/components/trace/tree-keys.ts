import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { TraceRow } from '#traces/trace-rows.ts'
import type { TreeRows } from './tree-rows.ts'

interface CursorParts {
  tree: TreeRows
  traceId: string
  grid: RefObject<HTMLDivElement | null>
  rowHeight: number
}

/** The row that the keyboard is at, and its keys: those of a tree grid. */
export function useCursor({ tree, traceId, grid, rowHeight }: CursorParts) {
  const { visible, isWhole } = tree
  const [at, setAt] = useState(visible[0]?.at ?? 0)
  const navigate = useNavigate()
  const focusRow = useRowFocus(grid)
  const waiting = useRef<string>(undefined)
  const move = (next: number | undefined) => {
    if (next === undefined) return
    setAt(next)
    focusRow({ at: next, offset: visible.findIndex((row) => row.at === next) * rowHeight })
  }
  const select = (span: string | undefined) =>
    void navigate({ to: '/traces/$traceId', params: { traceId }, search: { span }, resetScroll: false })
  const findAction = (key: string): (() => void) | undefined => {
    const position = visible.findIndex((row) => row.at === at)
    const row = visible[position]
    if (row === undefined) return undefined
    const isClosed = tree.isCollapsed(row)
    const next = visible[position + 1]?.at
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(next),
      ArrowUp: () => move(visible[position - 1]?.at),
      Home: () => move(visible[0]?.at),
      End: () => move(visible.at(-1)?.at),
      ArrowRight: () => {
        if (isClosed) tree.toggle(row)
        else if (row.descendantCount > 0) move(next)
      },
      ArrowLeft: () => {
        if (row.descendantCount > 0 && !isClosed) tree.toggle(row)
        else move(row.parentAt)
      },
      Enter: () => select(row.spanId),
      Escape: () => select(undefined),
    }
    return actions[key]
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const action = findAction(event.key)
    // A link inside the row handles its own keys.
    if (action === undefined || (event.key === 'Enter' && event.target !== event.currentTarget)) return
    event.preventDefault()
    if (!isWhole && leadsFurther(event.key, visible, at)) waiting.current = event.key
    else action()
  }
  useEffect(() => {
    if (!isWhole || waiting.current === undefined) return
    const action = findAction(waiting.current)
    waiting.current = undefined
    action?.()
  })
  const isShown = visible.some((row) => row.at === at)
  return { at: isShown ? at : (visible[0]?.at ?? 0), set: setAt, onKeyDown }
}

/** A key that leads beyond the rows that have been loaded. */
function leadsFurther(key: string, visible: readonly TraceRow[], at: number): boolean {
  return key === 'End' || (key === 'ArrowDown' && visible.at(-1)?.at === at)
}

/**
 * Focuses rows, also such that are not in the document: those are scrolled to, and get the focus when they
 * are rendered.
 */
function useRowFocus(grid: RefObject<HTMLDivElement | null>) {
  const wanted = useRef<number>(undefined)
  const find = (at: number) => grid.current?.querySelector<HTMLElement>(`[data-at="${at}"]`)
  useEffect(() => {
    if (wanted.current === undefined) return
    const row = find(wanted.current)
    if (row === null || row === undefined) return
    wanted.current = undefined
    row.focus()
  })
  return ({ at, offset }: { at: number; offset: number }) => {
    const row = find(at)
    if (row) row.focus()
    else if (grid.current !== null) {
      wanted.current = at
      grid.current.scrollTo({ top: Math.max(0, offset - grid.current.clientHeight / 2) })
    }
  }
}
