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
    (element) => () => {
      if (element !== null) rememberSeen(listKey, countSeen(element))
    },
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

/** Up to the last row that is on the screen or has the focus. */
function countSeen(rows: HTMLTableSectionElement): number {
  const { top, height } = rows.getBoundingClientRect()
  const ofScreen = Math.ceil((rows.rows.length * (window.innerHeight - top)) / Math.max(1, height))
  const focused = document.activeElement?.closest('tr')
  const ofFocus = focused && rows.contains(focused) ? focused.sectionRowIndex + 1 : 0
  return Math.max(ofScreen, ofFocus)
}

/** Keeps the height of the rows that come after the first paint. */
export function MissingRows({ count }: { count: number }) {
  return <tr aria-hidden style={{ blockSize: `calc(${count} * var(--row-block-size))` }} />
}
