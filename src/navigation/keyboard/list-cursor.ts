/** The cursor of a list. It is the focus, so that Tab, screen readers and prefetching follow it. */
export interface ListCursor {
  /** Moves to the row after (1) or before (-1); false in a page without rows. */
  move(by: 1 | -1): boolean
  /** The link of the row that the cursor is on. */
  findLink(): HTMLElement | undefined
  /** Restores the focus to its row or the row that replaced it, if no element has the focus. */
  restore(): void
  /** True for an entry of the history whose list had the cursor. */
  isIn(entry: string): boolean
  stop(): void
}

/** Where the cursor was: the rows of the list, by their addresses, and which of them. */
interface Place {
  hrefs: (string | null)[]
  index: number
}

/** The link of a row: it covers the row, or is marked. */
const rowLink = 'a:is(.row-link, [data-row-link])'

/**
 * Follows the focus through the rows of lists, and remembers where it was in each entry of the history.
 * `findEntry` names the entry that is shown.
 */
export function createListCursor(findEntry: () => string): ListCursor {
  const places = new Map<string, Place>()
  /** The link that had the focus last; while it is in the document, its row exists. */
  let last: HTMLElement | undefined
  const events = new AbortController()

  function findIndex(links: readonly HTMLElement[]): number {
    const row = findRow(document.activeElement)
    const focused = row === undefined ? -1 : links.findIndex((link) => row.contains(link))
    if (focused !== -1) return focused
    const found = findAgain(links, places.get(findEntry()))
    return found === undefined ? -1 : links.indexOf(found)
  }

  function restore(): void {
    const place = places.get(findEntry())
    if (place === undefined || last?.isConnected === true) return
    // A page that was just opened has the focus on the whole of its content.
    if (document.activeElement?.matches('body, main') === false) return
    findAgain(listLinks(), place)?.focus({ preventScroll: true })
  }

  function remember(target: EventTarget | null): void {
    if (!(target instanceof HTMLElement) || !target.matches(rowLink)) return
    last = target
    const links = listLinks()
    const hrefs = links.map((link) => link.getAttribute('href'))
    places.set(findEntry(), { hrefs, index: links.indexOf(target) })
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
    isIn: (entry) => places.has(entry),
    stop: () => events.abort(),
  }
}

function listLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(rowLink)]
}

/** The row of that place, or where it has left the list, the next one that has not; else the one before. */
function findAgain(links: readonly HTMLElement[], place: Place | undefined): HTMLElement | undefined {
  if (place === undefined) return undefined
  const { hrefs, index } = place
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
  row.scrollIntoView({ block: 'nearest', behavior: 'instant' })
}

/** The row around an element that has a row's link. */
function findRow(element: Element | null): Element | undefined {
  const row = element?.closest('tr, li') ?? undefined
  return row?.querySelector(rowLink) === null ? undefined : row
}
