import { rowLink } from '#navigation/row-link.ts'
import type { PrefetchQueue } from './prefetch-queue.ts'

export interface LinkPrefetchingOptions {
  queue: Pick<PrefetchQueue, 'request' | 'withdraw'>
  /** True for a URL of this origin that belongs to a page of the application. */
  isPage: (url: URL) => boolean
  /** Time that the pointer or focus rests on a link before it counts. */
  intentDelayMs: number
  viewportMarginPx: number
}

/**
 * Observes all current and future links of the document and requests the pages behind them from the queue:
 * when a link is near the viewport, and first when pointer, finger or focus is on it. Of links that come into
 * view together, those of rows are first, then others of the main content, each from top to bottom. A link
 * that leaves the viewport cancels its request. On Save-Data and 2G connections only links under pointer or
 * focus are prefetched. Returns the stop function.
 */
export function startLinkPrefetching(options: LinkPrefetchingOptions): () => void {
  const stopIntent = watchIntent(options)
  const stopViewport = isSparing() ? undefined : watchViewport(options)
  return () => {
    stopIntent()
    stopViewport?.()
  }
}

function watchIntent({ queue, isPage, intentDelayMs }: LinkPrefetchingOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const events = new AbortController()
  const { signal } = events

  function rest(event: Event): void {
    clearTimeout(timer)
    const href = findPageHref(event.target, isPage)
    if (href === undefined) return
    timer = setTimeout(() => queue.request([href], 'intent'), intentDelayMs)
  }

  function touch(event: Event): void {
    const href = findPageHref(event.target, isPage)
    if (href !== undefined) queue.request([href], 'intent')
  }

  document.addEventListener('pointerover', rest, { signal, passive: true })
  document.addEventListener('focusin', rest, { signal, passive: true })
  document.addEventListener('touchstart', touch, { signal, passive: true })
  return () => {
    clearTimeout(timer)
    events.abort()
  }
}

function watchViewport({ queue, isPage, viewportMarginPx }: LinkPrefetchingOptions): () => void {
  /** Links to pages, with the `href` attribute for which they were resolved. */
  const links = new Map<Element, { address: string; href: string }>()

  const inView = new IntersectionObserver(
    (entries) => {
      const entered: { href: string; rank: number }[] = []
      for (const { target, isIntersecting } of entries) {
        const href = links.get(target)?.href
        if (href === undefined) continue
        if (isIntersecting) entered.push({ href, rank: rankOf(target) })
        else queue.withdraw(href)
      }
      const first = entered.toSorted((one, other) => one.rank - other.rank)
      queue.request(
        first.map(({ href }) => href),
        'viewport',
      )
    },
    { rootMargin: `${viewportMarginPx}px` },
  )

  /** Scans all links again: there are few, and React moves, adds and changes them at any time. */
  function sync(): void {
    const shown = location.pathname + location.search
    for (const [anchor, { address, href }] of links) {
      // Resolving a link matches its route, which is too expensive for all links at each change of a list.
      if (anchor.isConnected && anchor.getAttribute('href') === address && href !== shown) continue
      inView.unobserve(anchor)
      links.delete(anchor)
      queue.withdraw(href)
    }
    for (const anchor of document.querySelectorAll('a[href]')) {
      if (links.has(anchor)) continue
      const href = findPageHref(anchor, isPage)
      if (href === undefined) continue
      links.set(anchor, { address: anchor.getAttribute('href') ?? '', href })
      inView.observe(anchor)
    }
  }

  let scheduled: number | undefined
  let syncing: ReturnType<typeof setTimeout> | undefined
  const changes = new MutationObserver(() => {
    // In the task after the frame, so that it does not delay the frame.
    scheduled ??= requestAnimationFrame(() => {
      syncing = setTimeout(() => {
        scheduled = undefined
        sync()
      })
    })
  })
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['href'] })
  sync()
  return () => {
    if (scheduled !== undefined) cancelAnimationFrame(scheduled)
    clearTimeout(syncing)
    changes.disconnect()
    inView.disconnect()
  }
}

/** Lower for links that are opened more often. */
function rankOf(link: Element): number {
  if (link.matches(rowLink)) return 0
  return link.closest('main') === null ? 2 : 1
}

/** The URL of the link of an event or observation, if it is another page of this application. */
function findPageHref(target: unknown, isPage: (url: URL) => boolean): string | undefined {
  const anchor = target instanceof Element ? target.closest('a[href]') : null
  if (!(anchor instanceof HTMLAnchorElement)) return undefined
  if (anchor.hasAttribute('download') || (anchor.target !== '' && anchor.target !== '_self')) return undefined
  const url = new URL(anchor.href)
  if (url.origin !== location.origin || !isPage(url)) return undefined
  const href = url.pathname + url.search
  return href === location.pathname + location.search ? undefined : href
}

function isSparing(): boolean {
  // The Network Information API: not every browser supports it, and TypeScript has no types for it.
  const connection: unknown = Reflect.get(navigator, 'connection')
  if (typeof connection !== 'object' || connection === null) return false
  return (
    Reflect.get(connection, 'saveData') === true ||
    String(Reflect.get(connection, 'effectiveType')).includes('2g')
  )
}
