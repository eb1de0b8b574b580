import type { Page } from '@playwright/test'
import { sendEvent } from './support/events.ts'
import { waitUntilSettled } from './support/hydration.ts'
import { expect, shareCulvert, test } from './support/test.ts'

/** They differ in their last character only. */
const versions = ['0', '1'].map(
  (end) => `storefront-checkout@2026.11.28-rc.4+0f3c9a7b2d1e4c5f8a9b0c1d2e3f4a5${end}`,
)

const culvert = shareCulvert(async (started) => {
  const shop = await started.createProject('Shop')
  for (const release of versions) await sendEvent(shop, { message: 'The cart is empty', release })
})

/** Runs in the page: how each version ends on the screen, and whether that end is inside of what clips it. */
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
  await page.goto(culvert().origin + path)
  await waitUntilSettled(page)
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const shown = page.locator('.version-text:visible')
    const ends = await shown.evaluateAll(listEnds)
    expect(ends.length, path).toBeGreaterThan(0)
    for (const { end, title, isInside } of ends) {
      expect(isInside, `${path} at ${width} px: ${end}`).toBe(true)
      expect(versions.some((version) => version.endsWith(end ?? '?') && title?.endsWith(version))).toBe(true)
    }
  }
}

test('versions that differ only at their end can be told apart where there is no room for them', async ({
  page,
}) => {
  await expectTellingEnds(page, '/releases')
  await page.goto(`${culvert().origin}/issues`)
  const href = (await page.locator('a.row-link').first().getAttribute('href')) ?? '/missing'
  await expectTellingEnds(page, href)
  await expectTellingEnds(page, `${href}/events`)
  await page.goto(`${culvert().origin}/releases`)
  await expect(page.getByRole('link', { name: /a51$/ })).toHaveText(versions[1] ?? '')
})
