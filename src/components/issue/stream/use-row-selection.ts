import { type MouseEvent, type RefObject, useCallback, useEffect, useRef, useSyncExternalStore } from 'react'

/**
 * The checkboxes of the rows. Only the document has their state, so that the selection works before scripts
 * have run.
 */
const rowBoxes = 'tbody input[type="checkbox"]'

/** The selected rows of a list. */
export interface RowSelection {
  /** Attach to the element around the list and its bar, with the handler. */
  list: RefObject<HTMLDivElement | null>
  onClick: (event: MouseEvent) => void
  count: number
  isAll: boolean
  setAll: (isTicked: boolean) => void
  /** Selects the rows of these issues, without changing the others. */
  tick: (issueIds: readonly string[]) => void
}

/** Counts the selected rows, selects ranges with Shift, and clears the selection with Escape. */
export function useRowSelection(): RowSelection {
  const list = useRef<HTMLDivElement>(null)
  const lastClicked = useRef<HTMLInputElement>(undefined)
  // Also read after every rendering: selected rows may have been removed.
  const counted = useSyncExternalStore(
    (notify) => {
      const events = new AbortController()
      list.current?.addEventListener('change', notify, { signal: events.signal })
      return () => events.abort()
    },
    () => countOf(listBoxes(list.current)),
    () => '0',
  )
  const count = Number.parseInt(counted, 10)

  useEffect(() => {
    if (count === 0) return undefined
    const events = new AbortController()
    const untick = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isSomethingOpen())
        tickAll(list.current, false)
    }
    // In the capture phase, before a menu handles the key and closes.
    document.addEventListener('keydown', untick, { signal: events.signal, capture: true })
    return () => events.abort()
  }, [count])

  const tick = useCallback((issueIds: readonly string[]) => {
    tickBoxes(list.current, (box) => box.checked || issueIds.includes(box.value))
  }, [])

  return {
    list,
    count,
    tick,
    isAll: counted.endsWith(all),
    setAll: (isTicked) => tickAll(list.current, isTicked),
    onClick({ target, shiftKey }) {
      if (!(target instanceof HTMLInputElement) || !target.matches(rowBoxes)) return
      if (shiftKey) tickRange(listBoxes(list.current), lastClicked.current, target)
      lastClicked.current = target
    },
  }
}

function listBoxes(list: HTMLElement | null): HTMLInputElement[] {
  return [...(list?.querySelectorAll<HTMLInputElement>(rowBoxes) ?? [])]
}

function tickAll(list: HTMLElement | null, isTicked: boolean): void {
  tickBoxes(list, () => isTicked)
}

function tickBoxes(list: HTMLElement | null, isTicked: (box: HTMLInputElement) => boolean): void {
  for (const box of listBoxes(list)) box.checked = isTicked(box)
  list?.dispatchEvent(new Event('change'))
}

const all = ' all'

/**
 * `2`, or `50 all`: a primitive value, so that it is equal while the selection is unchanged. It is also `0`
 * before the rows are in the document, so that a list does not render twice when it appears.
 */
function countOf(boxes: readonly HTMLInputElement[]): string {
  const count = boxes.filter(({ checked }) => checked).length
  return `${count}${count > 0 && count === boxes.length ? all : ''}`
}

/** Sets all checkboxes from the previously clicked one to this one to the state of this one. */
function tickRange(
  boxes: readonly HTMLInputElement[],
  from: HTMLInputElement | undefined,
  to: HTMLInputElement,
): void {
  if (from === undefined || !boxes.includes(from)) return
  const [start = 0, end = 0] = [boxes.indexOf(from), boxes.indexOf(to)].toSorted((a, b) => a - b)
  for (const box of boxes.slice(start, end + 1)) box.checked = to.checked
}

/** Escape closes an open menu or dialog first. */
function isSomethingOpen(): boolean {
  return document.querySelector('dialog[open], :popover-open, details.menu[open]') !== null
}
