import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Project } from './support/culvert.ts'
import { sendEvent, sendTransaction } from './support/events.ts'
import { waitUntilSettled } from './support/hydration.ts'
import { findIssuePath } from './support/issue-path.ts'
import { readServedPage } from './support/served-page.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

/** They differ only in their last character. */
const versions = ['0', '1'].map(
  (end) => `storefront-checkout@2026.11.28-rc.4+0f3c9a7b2d1e4c5f8a9b0c1d2e3f4a5${end}`,
)

let eventId = ''
const culvert = shareCulvert(async (started) => {
  const shop = await started.createProject('Shop')
  for (const release of versions) {
    eventId = await sendEvent(shop, { message: 'The cart is empty', release })
    await sendPageLoad(shop, release)
  }
})

async function sendPageLoad(shop: Project, release: string): Promise<void> {
  const trace = { trace_id: hexOf(16), span_id: hexOf(8), op: 'pageload', status: 'ok' }
  const source = { transaction: '/carts', transaction_info: { source: 'route' } }
  await sendTransaction(shop, { ...source, release, contexts: { trace } })
}

const hexOf = (bytes: number) => randomBytes(bytes).toString('hex')

/** Runs in the page: the visible end of each version, and whether it is clipped. */
function listEnds(elements: Element[]) {
  return elements.map((version) => {
    const { right } = version.lastElementChild?.getBoundingClientRect() ?? { right: Infinity }
    const clip = version.closest('td, th, dd, li')
    return {
      end: version.lastElementChild?.textContent,
      title: version.getAttribute('title'),
      isInside: clip !== null && right <= clip.getBoundingClientRect().right + 0.5 && right <= innerWidth,
    }
  })
}

async function expectTellingEnds(page: Page, path: string): Promise<void> {
  // Transactions are counted a moment after they are stored.
  await expect.poll(() => readServedPage(page, culvert().origin + path)).toContain('version-text')
  await page.goto(culvert().origin + path)
  await waitUntilSettled(page)
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width)
    const shown = page.locator('.version-text:visible')
    const ends = await shown.evaluateAll(listEnds)
    expect(ends.length, path).toBeGreaterThan(0)
    for (const { end, title, isInside } of ends) {
      expect(isInside, `${path} at ${width} px: ${end}`).toBe(true)
      expect(versions.some((version) => version.endsWith(end ?? '?') && title?.endsWith(version))).toBe(true)
    }
  }
}

test('versions that differ only at their end can be told apart in little room @full', async ({ page }) => {
  await expectTellingEnds(page, '/releases')
  await expectTellingEnds(page, '/performance')
  const path = await findIssuePath(culvert(), eventId)
  await expectTellingEnds(page, path)
  await expectTellingEnds(page, `${path}/events`)
  await page.goto(`${culvert().origin}/releases`)
  await expect(page.getByRole('link', { name: /a51$/ })).toHaveText(versions[1] ?? '')
})
