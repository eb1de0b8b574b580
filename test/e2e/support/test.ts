import { test as base, type BrowserContext } from '@playwright/test'
import { type Culvert, type CulvertOptions, startCulvert } from './culvert.ts'
import { type PageProblems, watchPage } from './page-problems.ts'

/**
 * Playwright's test, with a watch on every page: a console error, a CSP violation, an uncaught error or an event that
 * Culvert's own page reports about itself (a hydration mismatch, say) fails the test that did not expect it.
 */
export const test = base.extend<{ problems: PageProblems }>({
  problems: [
    async ({ page }, use) => {
      const problems = watchPage(page)
      await use(problems)
      base.expect(problems.unexpected()).toEqual([])
    },
    { auto: true },
  ],
})

export { expect } from '@playwright/test'

/** Gives a browser the owner's session. */
export async function signIn(context: BrowserContext, { origin, session }: Culvert): Promise<void> {
  await context.addCookies([{ ...session, url: origin }])
}

/** One Culvert for all tests of a file, started before the first and ended after the last. */
export function serveCulvert(
  prepare?: (culvert: Culvert) => Promise<void>,
  options: CulvertOptions = {},
): () => Culvert {
  // A link that is not there is noticed soon, long before the whole test runs out of time.
  test.use({ actionTimeout: 10_000 })
  let running: Culvert | undefined
  test.beforeAll(async () => {
    // Starting and filling it is not what a test's time is for.
    test.setTimeout(90_000)
    running = await startCulvert(options)
    await prepare?.(running)
  })
  test.beforeEach(async ({ context }) => {
    if (running !== undefined) await signIn(context, running)
  })
  test.afterAll(async () => {
    await running?.stop()
  })
  return () => {
    if (running === undefined) throw new Error('Culvert runs inside tests only')
    return running
  }
}
