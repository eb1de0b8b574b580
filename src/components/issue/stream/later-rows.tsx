import { type RefCallback, useCallback, useDeferredValue, useState } from 'react'
import { useHydrated } from '#components/ui/use-hydrated.ts'

/** CSS pixels of a row; on narrow screens, rows are higher. */
const rowPixels = 52

/** Lists whose place is remembered. */
const rememberedLists = 50

/** How many rows a reader saw of a list when it was left, by its search. Only in the browser. */
const seenRows = new Map<string, number>()

/**
 * Renders only the rows that the reader may see before the first paint, and the others right after it, when
 * the browser renders a list: `firstCount` is undefined where all rows are rendered. The server sends all.
 *
 * Who goes back to a list finds the place on the page and the cursor: the rows that were seen are there at
 * once. `listKey` tells lists apart, `rows` is for the element around the rows.
 */
export function useLaterRows(listKey: string): {
  firstCount: number | undefined
  rows: RefCallback<HTMLTableSectionElement>
} {
  // The server and the first render in the browser have to match.
  const isWhole = useDeferredValue(true, !useHydrated())
  const [seenCount] = useState(() => (isWhole ? 0 : Math.max(countOfScreen(), seenRows.get(listKey) ?? 0)))
  const rows = useCallback<RefCallback<HTMLTableSectionElement>>(
    (element) => (element === null ? undefined : watchSeen(element, (count) => rememberSeen(listKey, count))),
    [listKey],
  )
  return { firstCount: isWhole ? undefined : seenCount, rows }
}

/** Rows that fit on the screen. */
function countOfScreen(): number {
  return Math.ceil(window.innerHeight / rowPixels)
}

function rememberSeen(listKey: string, count: number): void {
  seenRows.delete(listKey)
  seenRows.set(listKey, count)
  const [oldest] = seenRows.keys()
  if (seenRows.size > rememberedLists && oldest !== undefined) seenRows.delete(oldest)
}

/**
 * Counts the rows up to the last one that is on the screen or has the focus, when the list is left. Returns
 * the function that leaves it.
 *
 * Measured before, while the layout is up to date: once React has begun to replace the list, the browser
 * would calculate the styles of the whole list again, to measure what is about to be removed.
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

/** Keeps the height of the rows that come after the first paint. */
export function MissingRows({ count }: { count: number }) {
  return <tr aria-hidden style={{ blockSize: `calc(${count} * var(--row-block-size))` }} />
}
