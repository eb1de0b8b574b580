import { rowLink } from '#navigation/row-link.ts'

/** The cursor of a list. It is the focus, so that Tab, screen readers and prefetching follow it. */
export interface ListCursor {
  /** Moves to the next (1) or previous (-1) row; false on a page without rows. */
  move(by: 1 | -1): boolean
  /** The link of the row with the cursor. */
  findLink(): HTMLElement | undefined
  /** If no element has the focus, restores the focus to the row or to the row that replaced it. */
  restore(): void
  /** True for a history entry whose list had the cursor. */
  isIn(entry: string): boolean
  stop(): void
}

/** A former cursor position: the URLs of the rows, and the index of the row. */
interface CursorPosition {
  hrefs: (string | null)[]
  index: number
}

/**
 * Tracks the focus in the rows of lists, and stores its position for each history entry. `findEntry` returns
 * the current entry.
 */
export function createListCursor(findEntry: () => string): ListCursor {
  const positions = new Map<string, CursorPosition>()
  /** The link that had the focus last; while it is in the document, its row exists. */
  let last: HTMLElement | undefined
  const events = new AbortController()

  function findIndex(links: readonly HTMLElement[]): number {
    const row = findRow(document.activeElement)
    const focused = row === undefined ? -1 : links.findIndex((link) => row.contains(link))
    if (focused !== -1) return focused
    const found = findAgain(links, positions.get(findEntry()))
    return found === undefined ? -1 : links.indexOf(found)
  }

  function restore(): void {
    const position = positions.get(findEntry())
    if (position === undefined || last?.isConnected === true) return
    // On a newly opened page, the content as a whole has the focus.
    if (document.activeElement?.matches('body, main') === false) return
    findAgain(listLinks(), position)?.focus({ preventScroll: true })
  }

  function remember(target: EventTarget | null): void {
    if (!(target instanceof HTMLElement) || !target.matches(rowLink)) return
    last = target
    const links = listLinks()
    const hrefs = links.map((link) => link.getAttribute('href'))
    positions.set(findEntry(), { hrefs, index: links.indexOf(target) })
  }
  document.addEventListener('focusin', ({ target }) => remember(target), { signal: events.signal })
  remember(document.activeElement)

  return {
    move(by) {
      const links = listLinks()
      const index = findIndex(links)
      const first = by === 1 ? links[0] : links.at(-1)
      focusRow(index === -1 ? first : links[index + by])
      return links.length > 0
    },
    findLink() {
      const row = findRow(document.activeElement)
      return row?.querySelector<HTMLElement>(rowLink) ?? undefined
    },
    restore,
    isIn: (entry) => positions.has(entry),
    stop: () => events.abort(),
  }
}

function listLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(rowLink)]
}

/**
 * The row of that position; if it is not in the list any more, the next row that is, else the previous one.
 */
function findAgain(
  links: readonly HTMLElement[],
  position: CursorPosition | undefined,
): HTMLElement | undefined {
  if (position === undefined) return undefined
  const { hrefs, index } = position
  const nearest = [...hrefs.slice(index), ...hrefs.slice(0, index).toReversed()]
  for (const href of nearest) {
    const link = links.find((candidate) => candidate.getAttribute('href') === href)
    if (link !== undefined) return link
  }
  return undefined
}

function focusRow(link: HTMLElement | undefined): void {
  if (link === undefined) return
  link.focus({ preventScroll: true })
  const row = findRow(link) ?? link
  row.scrollIntoView({ block: 'nearest' })
}

/** The row around an element that has a row's link. */
function findRow(element: Element | null): Element | undefined {
  const row = element?.closest('tr, li') ?? undefined
  return row?.querySelector(rowLink) === null ? undefined : row
}
