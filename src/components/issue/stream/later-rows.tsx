import { type RefCallback, useCallback, useDeferredValue, useState } from 'react'
import { useHydrated } from '#components/ui/use-hydrated.ts'

/** CSS pixels of a row; on narrow screens, rows are higher. */
const rowPixels = 52

/** Maximum number of lists whose position is stored. */
const storedLists = 50

/** The number of visible rows when a list was left, by its search. Only in the browser. */
const seenRows = new Map<string, number>()

/**
 * When the browser renders a list, only the visible rows are rendered before the first paint, and the others
 * directly after it: `firstCount` is undefined if all rows are rendered. The server sends all rows.
 *
 * Going back to a list restores the scroll position and the cursor, because the rows that were visible are
 * rendered first. `listKey` identifies the list, `rows` is the ref of the element around the rows.
 */
export function useLaterRows(listKey: string): {
  firstCount: number | undefined
  rows: RefCallback<HTMLTableSectionElement>
} {
  // The server and the first render in the browser have to match.
  const isWhole = useDeferredValue(true, !useHydrated())
  const [seenCount] = useState(() => (isWhole ? 0 : Math.max(countOfScreen(), seenRows.get(listKey) ?? 0)))
  const rows = useCallback<RefCallback<HTMLTableSectionElement>>(
    (element) => (element === null ? undefined : watchSeen(element, (count) => storeSeen(listKey, count))),
    [listKey],
  )
  return { firstCount: isWhole ? undefined : seenCount, rows }
}

/** The number of rows that fit on the screen. */
function countOfScreen(): number {
  return Math.ceil(window.innerHeight / rowPixels)
}

function storeSeen(listKey: string, count: number): void {
  seenRows.delete(listKey)
  seenRows.set(listKey, count)
  const [oldest] = seenRows.keys()
  if (seenRows.size > storedLists && oldest !== undefined) seenRows.delete(oldest)
}

/**
 * When the list is left, counts the rows up to the last one that is visible or has the focus. Returns the
 * cleanup function.
 *
 * The rows are measured while the layout is up to date: once React has begun to replace the list, the browser
 * would recalculate the styles of the complete list to measure rows that are about to be removed.
 */
function watchSeen(rows: HTMLTableSectionElement, onLeave: (count: number) => void): () => void {
  const events = new AbortController()
  const watch = { passive: true, signal: events.signal }
  let ofScreen = 0
  const measure = () => (ofScreen = countOnScreen(rows))
  window.addEventListener('scroll', measure, watch)
  window.addEventListener('pointerdown', measure, watch)
  return () => {
    events.abort()
    onLeave(Math.max(ofScreen, countToFocus(rows)))
  }
}

function countOnScreen(rows: HTMLTableSectionElement): number {
  const { top, height } = rows.getBoundingClientRect()
  return Math.ceil((rows.rows.length * (window.innerHeight - top)) / Math.max(1, height))
}

function countToFocus(rows: HTMLTableSectionElement): number {
  const focused = document.activeElement?.closest('tr')
  return focused && rows.contains(focused) ? focused.sectionRowIndex + 1 : 0
}

/** Reserves the height of the rows that are rendered after the first paint. */
export function MissingRows({ count }: { count: number }) {
  return <tr aria-hidden style={{ blockSize: `calc(${count} * var(--row-block-size))` }} />
}
