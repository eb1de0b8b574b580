import { test as base, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test'
import { type Culvert, type CulvertOptions, startCulvert } from './culvert.ts'
import { openOrganization } from './organization.ts'
import { type PageProblems, watchPage } from './page-problems.ts'

interface TestFixtures {
  prefetches: boolean
  problems: PageProblems
  /** Opens another browser, without cookies; it is closed after the test. */
  openContext: (options?: BrowserContextOptions) => Promise<BrowserContext>
}

type KeptContext = Pick<BrowserContextOptions, 'javaScriptEnabled' | 'timezoneId'> & { prefetches: boolean }

interface WorkerFixtures {
  sharedCulvert: Culvert
  /** The page of `onePageTest` with such a context. Opens another one if a test has closed it. */
  keptPages: (options: KeptContext) => Promise<Page>
}

/**
 * Playwright's test, which watches every page: an unexpected console error, CSP violation, uncaught error or
 * event that Culvert's own page reports about itself (a hydration mismatch, say) fails the test.
 *
 * The browser saves data, so pages do not load those of all links in view: 0.6 s of 1.5 s of processor time
 * for each page. Tests about prefetching, and of what it may interfere with, use `prefetches`.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  prefetches: [false, { option: true }],
  context: [
    async ({ context, prefetches }, use) => {
      if (!prefetches) await context.addInitScript(saveData)
      await use(context)
    },
    { scope: 'test' },
  ],
  openContext: [
    async ({ browser, prefetches }, use) => {
      const opened: BrowserContext[] = []
      await use(async (options) => {
        const context = await browser.newContext(options)
        opened.push(context)
        if (!prefetches) await context.addInitScript(saveData)
        return context
      })
      for (const context of opened) await context.close()
    },
    { scope: 'test' },
  ],
  problems: [
    async ({ page }, use) => {
      const problems = watchPage(page)
      await use(problems)
      base.expect(problems.unexpected()).toEqual([])
    },
    { auto: true },
  ],
  sharedCulvert: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures this one needs.
    async ({}, use) => {
      const culvert = await startCulvert({ variables: { CULVERT_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1' } })
      await use(culvert)
      await culvert.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  keptPages: [
    async ({ browser }, use) => {
      const pages = new Map<string, Page>()
      await use(async ({ prefetches, ...options }) => {
        const key = JSON.stringify({ prefetches, ...options })
        const kept = pages.get(key)
        if (kept?.isClosed() === false) return kept
        await kept?.context().close()
        const context = await browser.newContext(options)
        if (!prefetches) await context.addInitScript(saveData)
        const page = await context.newPage()
        pages.set(key, page)
        return page
      })
      for (const page of pages.values()) await page.context().close()
    },
    { scope: 'worker' },
  ],
})

/**
 * Tests in one page: each begins with an empty document, no cookies and no stored values. A page of its own,
 * which loads and compiles all scripts again, takes 0.3 s more of processor time. Not for tests that leave a
 * script or a clock in the page: these use `test`.
 */
export const onePageTest = test.extend({
  context: [
    async ({ keptPages, javaScriptEnabled, prefetches, timezoneId }, use) => {
      const page = await keptPages({ javaScriptEnabled, prefetches, timezoneId })
      await use(page.context())
    },
    { scope: 'test' },
  ],
  page: [
    async ({ context, viewport }, use) => {
      const [page = await context.newPage()] = context.pages()
      await page.setViewportSize(viewport ?? { width: 1280, height: 720 })
      const origins = new Set<string>()
      const noteOrigin = () => {
        const { origin } = new URL(page.url())
        if (origin !== 'null') origins.add(origin)
      }
      page.on('framenavigated', noteOrigin)
      await use(page)
      page.off('framenavigated', noteOrigin)
      for (const other of context.pages()) if (other !== page) await other.close()
      // Not if the page is closed, shows the browser's own error, is loading, or another origin was shown.
      const isClear = await page.evaluate(clearStorage, [...origins]).catch(() => false)
      if (!isClear) return await page.close()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.goto('about:blank')
      await page.mouse.move(0, 0)
      await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null })
      await context.clearCookies()
      await context.clearPermissions()
      await context.setOffline(false)
    },
    { scope: 'test' },
  ],
})

export { expect } from '@playwright/test'

/** Signs a browser in as the owner. */
export async function signIn(context: BrowserContext, { origin, session }: Culvert): Promise<void> {
  await context.addCookies([{ ...session, url: origin }])
}

/** Runs in the page. Returns false if other origins than the shown one may have values. */
function clearStorage(origins: readonly string[]): boolean {
  if (origins.some((origin) => origin !== location.origin)) return false
  if (location.protocol === 'about:') return true
  localStorage.clear()
  sessionStorage.clear()
  return true
}

/** Runs in the page. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
}

type Prepare = (culvert: Culvert) => Promise<void>

/** One Culvert for all tests of a file, started before the first and ended after the last. */
export function serveCulvert(prepare?: Prepare, options: CulvertOptions = {}): () => Culvert {
  const served = forFile(prepare)
  test.beforeAll(async () => served.open(startCulvert(options)))
  return served.get
}

/**
 * One organization for all tests of a file, on a Culvert that other files use before and after: for tests
 * that need nothing else of a server.
 */
export function shareCulvert(prepare?: Prepare): () => Culvert {
  const served = forFile(prepare)
  test.beforeAll(async ({ sharedCulvert }) => served.open(openOrganization(sharedCulvert)))
  return served.get
}

function forFile(prepare: Prepare | undefined) {
  // A missing link fails early, long before the time limit of the test.
  test.use({ actionTimeout: 20_000 })
  let running: Culvert | undefined
  test.beforeEach(async ({ context }) => {
    if (running !== undefined) await signIn(context, running)
  })
  test.afterAll(async () => {
    await running?.stop()
  })
  return {
    open: async (opening: Promise<Culvert>): Promise<void> => {
      // Starting and filling it does not count as the test's time.
      test.setTimeout(240_000)
      running = await opening
      await prepare?.(running)
    },
    get: (): Culvert => {
      if (running === undefined) throw new Error('Culvert runs inside tests only')
      return running
    },
  }
}
