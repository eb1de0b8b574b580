import { test as base, type BrowserContext } from '@playwright/test'
import { type Culvert, type CulvertOptions, startCulvert } from './culvert.ts'
import { openOrganization } from './organization.ts'
import { type PageProblems, watchPage } from './page-problems.ts'

/**
 * Playwright's test, which watches every page: an unexpected console error, CSP violation, uncaught error or
 * event that Culvert's own page reports about itself (a hydration mismatch, say) fails the test.
 *
 * The browser saves data, so pages do not load those of all links in view: 0.6 s of 1.5 s of processor time
 * for each page. Tests about prefetching, and of what it may interfere with, use `prefetches`.
 */
export const test = base.extend<{ prefetches: boolean; problems: PageProblems }, { sharedCulvert: Culvert }>({
  prefetches: [false, { option: true }],
  context: [
    async ({ context, prefetches }, use) => {
      if (!prefetches) await context.addInitScript(saveData)
      await use(context)
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
      const culvert = await startCulvert()
      await use(culvert)
      await culvert.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

export { expect } from '@playwright/test'

/** Signs a browser in as the owner. */
export async function signIn(context: BrowserContext, { origin, session }: Culvert): Promise<void> {
  await context.addCookies([{ ...session, url: origin }])
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
