import type { Page } from '@playwright/test'
import { type BrowserApp, startBrowserApp } from './support/browser-app.ts'
import type { Project } from './support/culvert.ts'
import { expect, test, serveCulvert } from './support/test.ts'

let app: BrowserApp
let project: Project

const culvert = serveCulvert(async (started) => {
  app = await startBrowserApp()
  project = await started.createProject('Storefront')
})

test.afterAll(() => app.close())

/** Clicks in somebody else's page, as a visitor, and waits until Culvert has answered its SDK. */
async function click(page: Page, userId: string, action: string): Promise<void> {
  await page.goto(app.address(project.dsn, userId))
  const answered = page.waitForResponse(
    (response) => response.request().postData()?.includes('"type":"event"') === true,
  )
  await page.getByRole('button', { name: action }).click()
  expect((await answered).status()).toBe(200)
}

test('an uncaught error of a page elsewhere is in the stream as soon as its SDK was answered', async ({
  page,
  problems,
}) => {
  problems.expect(/The cart is locked/)
  await click(page, '1', 'throw')
  await click(page, '2', 'throw')
  await click(page, '2', 'throw')
  await page.goto(`${culvert().origin}/issues`)

  const row = page.getByRole('row').filter({ hasText: 'CartError' })
  await expect(row).toContainText('The cart is locked')
  await expect(row).toContainText('emptyCart')
  await expect(row.locator('.count-cell').first()).toHaveText('3')
  await expect(row.locator('.count-cell').nth(1)).toHaveText('2')
})

test('its issue page shows the frames of the page and the browser', async ({ page }) => {
  await page.goto(`${culvert().origin}/issues`)
  await page.getByRole('link', { name: 'CartError' }).click()
  const exception = page.getByRole('region', { name: 'Exception' })
  await expect(exception).toContainText('emptyCart')
  await expect(exception).toContainText('shop.js')
  await expect(exception).toContainText('unhandled')
  const tags = page.getByRole('region', { name: 'Tags of all events' })
  await expect(tags.getByRole('table', { name: 'browser.name' })).toContainText(/Chrom/)
  await expect(tags).toContainText('storefront@2.0.0')
})

test('a rejected promise and a message arrive as well', async ({ page, problems }) => {
  problems.expect(/No price for LAMP-01/)
  await click(page, '1', 'reject')
  await click(page, '1', 'message')
  await page.goto(`${culvert().origin}/issues`)
  const rejection = page.getByRole('row').filter({ hasText: 'RangeError' })
  await expect(rejection).toContainText('No price for LAMP-01')
  await expect(rejection).toContainText('loadPrices')
  await expect(page.getByRole('row').filter({ hasText: 'Checkout took 9 s' })).toBeVisible()
})
