import type { Page } from '@playwright/test'
import { sendIssues } from './support/events.ts'
import { openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

test.use({ prefetches: true })

const culvert = shareCulvert(async (started) => {
  await sendIssues(await started.createProject('Shop'), 60)
})

const rowLink = (page: Page, title: string) => page.getByRole('link', { name: new RegExp(`^${title} [A-Z]`) })

test('going back restores the list with its position and its cursor', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/issues`)
  for (let step = 0; step < 30; step++) await page.keyboard.press('j')
  const link = rowLink(page, 'Trouble 31')
  await expect(link).toBeFocused()
  const place = await page.evaluate(() => scrollY)
  expect(place).toBeGreaterThan(200)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trouble 31')
  await page.goBack()
  await expect(link).toBeFocused()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)
})

test('the first frame of a list that was left has the rows that were visible, where they were @full', async ({
  page,
}) => {
  await openSettled(page, `${culvert().origin}/issues`)
  const link = rowLink(page, 'Trouble 12')
  await link.scrollIntoViewIfNeeded()
  const place = await link.boundingBox()
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trouble 12')
  const first = await page.evaluate(rowsOfFirstFrame)
  expect(first).toContain('Trouble 12')
  expect(first.length).toBeLessThan(40)
  await expect(page.locator('a.row-link')).toHaveCount(50)
  expect(await link.boundingBox()).toEqual(place)
})

/** Runs in the page: goes back. Resolves with the titles of the rows in the first frame with any. */
function rowsOfFirstFrame(): Promise<string[]> {
  return new Promise((resolve) => {
    const check = () => {
      const links = [...document.querySelectorAll('a.row-link')]
      if (links.length === 0) requestAnimationFrame(check)
      else resolve(links.map(({ textContent }) => textContent))
    }
    history.back()
    requestAnimationFrame(check)
  })
}

test('a list that is left before all of its rows are rendered has the same rows in its next first frame @full', async ({
  page,
}) => {
  await openSettled(page, `${culvert().origin}/issues`)
  const link = rowLink(page, 'Trouble 58')
  await link.click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Trouble 58')
  const first = await page.evaluate(rowsOfFirstFrame)
  await expect(page.locator('a.row-link')).toHaveCount(50)
  await link.click()
  await expect(heading).toHaveText('Trouble 58')
  // No frame follows, so that the other rows are not rendered.
  await page.evaluate(() => {
    globalThis.requestAnimationFrame = () => 0
    history.back()
  })
  await expect(page.locator('a.row-link')).toHaveCount(first.length)
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Trouble 58')
  await page.evaluate(() => history.back())
  await expect(page.locator('a.row-link')).toHaveCount(first.length)
})
