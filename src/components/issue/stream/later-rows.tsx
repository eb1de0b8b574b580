import { type RefCallback, startTransition, useCallback, useEffect, useState } from 'react'
import { useHydrated } from '#components/ui/use-hydrated.ts'

/** CSS pixels of a row. On narrow screens, rows have different heights, which are greater. */
const rowPixels = 52

/** Maximum number of lists whose position is stored. */
const storedLists = 50

/** Rows of a list, by their index: `from` is the first one, `to` follows the last one. */
interface RowRange {
  from: number
  to: number
}

/** The visible rows when a list was left, by its search. Only in the browser. */
const seenRows = new Map<string, RowRange>()

/**
 * When the browser renders a list, only the visible rows are rendered before the first paint, and the others
 * directly after it. Returns the range of `rowCount` rows to render. The server sends all rows.
 *
 * Going back to a list restores the scroll position and the cursor, because the rows that were visible are
 * rendered first. `listKey` identifies the list, `rows` is the ref of the element around the rows.
 */
export function useLaterRows(
  listKey: string,
  rowCount: number,
): { range: RowRange; rows: RefCallback<HTMLTableSectionElement> } {
  const isWhole = useWhole()
  const [seen] = useState(() => (isWhole ? undefined : seenRows.get(listKey)))
  const rows = useCallback<RefCallback<HTMLTableSectionElement>>(
    (element) => (element === null ? undefined : watchSeen(element, (range) => storeSeen(listKey, range))),
    [listKey],
  )
  return { range: isWhole ? { from: 0, to: rowCount } : toFirstRange(seen, rowCount), rows }
}

/** The rows that were visible, or those that fit on the screen. The number stays if the list gets shorter. */
function toFirstRange({ from, to }: RowRange = { from: 0, to: countOfScreen() }, rowCount: number): RowRange {
  const end = Math.min(rowCount, to)
  return { from: Math.max(0, from - (to - end)), to: end }
}

/**
 * False until the first paint in the browser. True on the server, and in the first render in the browser,
 * which has to match.
 */
function useWhole(): boolean {
  const isHydrated = useHydrated()
  const [isWhole, setWhole] = useState(!isHydrated)
  useEffect(() => {
    if (isWhole) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    // A deferred value may be rendered before the paint, and delays it. A timer of a frame runs after it.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setWhole(true)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isWhole])
  return isWhole
}

/** The number of rows that fit on the screen. */
function countOfScreen(): number {
  return Math.ceil(window.innerHeight / rowPixels)
}

function storeSeen(listKey: string, range: RowRange): void {
  seenRows.delete(listKey)
  seenRows.set(listKey, range)
  const [oldest] = seenRows.keys()
  if (seenRows.size > storedLists && oldest !== undefined) seenRows.delete(oldest)
}

/**
 * When the list is left, determines the rows that are visible or have the focus. Returns the clean-up.
 *
 * The rows are measured while the layout is up to date: once React has begun to replace the list, the browser
 * would recalculate the styles of the complete list to measure rows that are about to be removed.
 */
function watchSeen(rows: HTMLTableSectionElement, onLeave: (range: RowRange) => void): () => void {
  const events = new AbortController()
  const watch = { passive: true, capture: true, signal: events.signal }
  let onScreen: RowRange | undefined
  const measure = () => (onScreen = findOnScreen(rows))
  window.addEventListener('scroll', measure, watch)
  // Also of links that were opened with a key.
  window.addEventListener('click', measure, watch)
  return () => {
    events.abort()
    if (onScreen !== undefined) onLeave(withFocused(onScreen, rows))
  }
}

/** On narrow screens the range begins with the first row: the height of the rows before it is unknown. */
function findOnScreen(rows: HTMLTableSectionElement): RowRange {
  const { top, height } = rows.getBoundingClientRect()
  const length = countRows([...rows.rows])
  const from = Math.round(height / Math.max(1, length)) === rowPixels ? Math.floor(-top / rowPixels) : 0
  const to = Math.ceil((length * (window.innerHeight - top)) / Math.max(1, height))
  return { from: Math.max(0, from), to: Math.max(0, to) }
}

function withFocused({ from, to }: RowRange, rows: HTMLTableSectionElement): RowRange {
  const focused = document.activeElement?.closest('tr')
  if (!focused || !rows.contains(focused)) return { from, to }
  const index = countRows([...rows.rows].slice(0, focused.sectionRowIndex))
  return { from: Math.min(from, index), to: Math.max(to, index + 1) }
}

/** The number of rows, with those that are not rendered yet: a list may be left before its second frame. */
function countRows(rows: readonly HTMLTableRowElement[]): number {
  return rows.reduce((count, row) => count + Number(row.dataset['missing'] ?? 1), 0)
}

/** Reserves the height of rows that are rendered after the first paint. */
export function MissingRows({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <tr aria-hidden data-missing={count} style={{ blockSize: `calc(${count} * var(--row-block-size))` }} />
  )
}
