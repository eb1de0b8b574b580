import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { testBrowserOptions } from '../../bin/chromium.ts'

const clicksPerKind = 30

/** Milliseconds without a new request after which the page has loaded everything, also ahead. */
const quietMs = 300

/** A signed-in user. */
export interface Visitor {
  origin: string
  /** A `Cookie` header with the session. */
  cookie: string
}

/**
 * Measures in Chromium the time from the click on a row of the list to the frame that shows the issue: with a
 * page that was prefetched because its link was in view, and without prefetching (as with Save-Data). Also
 * the way back to the list, and the time from opening the address of an issue to the first contentful paint.
 */
export async function measureNavigation(visitor: Visitor) {
  const rows = []
  const back: number[] = []
  for (const kind of ['prefetched', 'cold'] as const) {
    const times = await inBrowser(visitor, async (page, context) => {
      if (kind === 'cold') {
        await context.addInitScript(() =>
          Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
        )
      }
      return clickThrough(page, visitor.origin)
    })
    rows.push({ 'client navigation': `to an issue, ${kind}`, ...summarize(times.open) })
    back.push(...times.back)
  }
  rows.push({ 'client navigation': 'back to the list', ...summarize(back) })
  const opened = await inBrowser(visitor, async (page) => openAddresses(page, visitor.origin))
  rows.push({ 'client navigation': 'first paint of an issue by its address', ...summarize(opened) })
  return rows
}

/** Opens a page for a signed-in user, in a new browser. */
export async function inBrowser<T>(
  visitor: Visitor,
  visit: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const browser = await chromium.launch(testBrowserOptions(process.env))
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await signIn(context, visitor)
    return await visit(await context.newPage(), context)
  } finally {
    await browser.close()
  }
}

async function signIn(context: BrowserContext, { origin, cookie }: Visitor): Promise<void> {
  const at = cookie.indexOf('=')
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: origin }])
}

/** Opens one issue after another from the list, each once, and goes back in between. */
async function clickThrough(page: Page, origin: string): Promise<{ open: number[]; back: number[] }> {
  await page.goto(`${origin}/issues?sort=events`, { waitUntil: 'networkidle' })
  const times = { open: new Array<number>(), back: new Array<number>() }
  for (let row = 0; row < clicksPerKind; row += 1) {
    const link = page.locator('a.row-link').nth(row)
    await link.scrollIntoViewIfNeeded()
    await page.evaluate(waitUntilQuiet, quietMs)
    times.open.push(await link.evaluate(paintedAfterClick))
    await page.evaluate(waitUntilQuiet, quietMs)
    times.back.push(await page.evaluate(paintedAfterBack))
    await page.locator('a.row-link').nth(row).waitFor()
  }
  return times
}

/** Runs in the page. The load state of a page does not change with the requests of its navigations. */
function waitUntilQuiet(forMs: number): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(done, forMs)
    const requests = new PerformanceObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(done, forMs)
    })
    function done(): void {
      requests.disconnect()
      resolve()
    }
    requests.observe({ type: 'resource' })
  })
}

/** Opens issues by their address, each once. The files of the console are in the browser's cache. */
async function openAddresses(page: Page, origin: string): Promise<number[]> {
  await page.goto(`${origin}/issues?sort=events`, { waitUntil: 'networkidle' })
  const links = await page.locator('a.row-link').all()
  const paths = await Promise.all(links.slice(0, clicksPerKind + 1).map((link) => link.getAttribute('href')))
  const times: number[] = []
  for (const path of paths) {
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' })
    times.push(await page.evaluate(firstContentfulPaint))
  }
  // The first navigation loaded those files.
  return times.slice(1)
}

/** Runs in the page. Milliseconds from the start of the navigation. */
function firstContentfulPaint(): Promise<number> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') resolve(startTime)
    })
    observer.observe({ type: 'paint', buffered: true })
  })
}

/**
 * Runs in the page. Clicks without hovering over the link; resolves with the milliseconds until the frame
 * that shows the issue was painted: a task posted in that frame with the highest priority runs right after
 * it.
 */
function paintedAfterClick(link: Element): Promise<number> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    function check(): void {
      if (document.querySelector('.issue-header') === null) requestAnimationFrame(check)
      else {
        void scheduler.postTask(() => resolve(performance.now() - startedAt), { priority: 'user-blocking' })
      }
    }
    if (link instanceof HTMLElement) link.click()
    requestAnimationFrame(check)
  })
}

/** Runs in the page. Goes back; resolves with the milliseconds until the list was painted. */
function paintedAfterBack(): Promise<number> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    function check(): void {
      if (document.querySelector('a.row-link') === null) requestAnimationFrame(check)
      else {
        void scheduler.postTask(() => resolve(performance.now() - startedAt), { priority: 'user-blocking' })
      }
    }
    history.back()
    requestAnimationFrame(check)
  })
}

function summarize(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(0)
  return { 'p50 ms': at(0.5), 'p95 ms': at(0.95), clicks: sorted.length }
}
