import type { Page, Request, Route } from '@playwright/test'

/** The page data requests of a page, which tests can hold and release. */
export interface PageDataRequests {
  /** The unanswered requests, oldest first. */
  waiting(): string[]
  /** All requests, oldest first. */
  seen(): string[]
  /** The maximum number that were pending at once. */
  mostAtOnce(): number
  /** Answers the pending requests whose URL contains that text, or all. */
  release(part?: string): Promise<void>
  /** Answers all later requests at once. */
  releaseAll(): Promise<void>
}

const pageData = '**/_serverFn/**'

/** Holds every page data request until it is released. Call it before the page is opened. */
export async function holdPageData(page: Page): Promise<PageDataRequests> {
  const held = new Map<Route, string>()
  const seen: string[] = []
  let most = 0
  let isHolding = true
  await page.route(pageData, async (route) => {
    const url = decodeURIComponent(route.request().url())
    seen.push(url)
    if (!isHolding) {
      await route.continue()
      return
    }
    held.set(route, url)
    most = Math.max(most, held.size)
  })
  page.on('requestfailed', (request: Request) => {
    for (const route of held.keys()) if (route.request() === request) held.delete(route)
  })
  async function release(part = ''): Promise<void> {
    for (const [route, url] of held) {
      if (!url.includes(part)) continue
      held.delete(route)
      await route.continue()
    }
  }
  return {
    waiting: () => [...held.values()],
    seen: () => [...seen],
    mostAtOnce: () => most,
    release,
    async releaseAll() {
      isHolding = false
      await release()
    },
  }
}

/** Answers the first `count` page data requests with `part` with that status, and counts all of them. */
export async function failPageData(
  page: Page,
  { part, status, count }: { part: string; status: number; count: number },
): Promise<() => number> {
  let asked = 0
  await page.route(pageData, async (route) => {
    if (!decodeURIComponent(route.request().url()).includes(part)) {
      await route.continue()
      return
    }
    asked += 1
    if (asked <= count) await route.fulfill({ status, contentType: 'text/plain', body: 'broken' })
    else await route.continue()
  })
  return () => asked
}

/** Sets the browser's `navigator.connection`. */
export async function pretendConnection(
  page: Page,
  connection: { saveData: boolean; effectiveType: string },
): Promise<void> {
  await page.addInitScript((value) => {
    Object.defineProperty(navigator, 'connection', { value })
  }, connection)
}
