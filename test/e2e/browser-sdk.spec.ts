import type { Page } from '@playwright/test'
import { expectThroughout, pause } from '#test/waiting.ts'
import { type BrowserApp, startBrowserApp } from './support/browser-app.ts'
import type { Project } from './support/culvert.ts'
import { readServedPage } from './support/served-page.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let app: BrowserApp
let project: Project

const culvert = shareCulvert(async (started) => {
  app = await startBrowserApp()
  project = await started.createProject('Storefront')
})

test.afterAll(() => app.close())

/** Clicks in another application's page and waits until Culvert has answered its SDK. */
async function click(page: Page, userId: string, action: string): Promise<void> {
  await page.goto(app.address(project.dsn, userId))
  const answered = page.waitForResponse(
    (response) => response.request().postData()?.includes('"type":"event"') === true,
  )
  await page.getByRole('button', { name: action }).click()
  expect((await answered).status()).toBe(200)
}

test("an uncaught error of another application's page is an issue once its SDK got the answer", async ({
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

  await row.getByRole('link', { name: 'CartError' }).click()
  const exception = page.getByRole('region', { name: 'Exception' })
  await expect(exception).toContainText('emptyCart')
  await expect(exception).toContainText('shop.js')
  await expect(exception).toContainText('unhandled')
  const tags = page.getByRole('region', { name: 'Issue tags' })
  await expect(tags.locator('.tags > div').filter({ hasText: 'browser.name' })).toContainText(/Chrom/)
  await expect(tags).toContainText('storefront@2.0.0')
})

test('the sessions of its visitors give the crash-free rate', async ({ page, problems }) => {
  problems.expect(/The cart is locked/)
  const healthy = await culvert().createProject('Healthy')
  const visit = async (userId: string) => {
    const sent = page.waitForResponse(
      (response) => response.request().postData()?.includes('"type":"session"') === true,
    )
    await page.goto(app.address(healthy.dsn, userId))
    expect((await sent).status()).toBe(200)
  }
  for (const userId of ['1', '2', '3']) await visit(userId)
  const crashed = page.waitForResponse(
    (response) => response.request().postData()?.includes('"status":"crashed"') === true,
  )
  await page.getByRole('button', { name: 'throw' }).click()
  expect((await crashed).status()).toBe(200)

  const row = page.getByRole('row').filter({ hasText: 'storefront@2.0.0' })
  // Another process created the project; the server notices within a second.
  const releases = `${culvert().origin}/releases?project=healthy`
  await expect.poll(() => readServedPage(page, releases)).toContain('66.6%')
  await page.goto(releases)
  await expect(row).toContainText('66.6%')
  await row.getByRole('link').first().click()
  const health = page.getByRole('region', { name: 'Health' })
  await expect(health).toContainText(/Crash-free sessions\S* 66\.6%/)
  await expect(health).toContainText(/Crash-free users\S* 66\.6%/)
  await expect(health).toContainText('100% of 3 sessions')
  await expect(health.getByRole('row').filter({ hasText: 'crashed' }).last()).toContainText('1')
})

test('a rejected promise and a message arrive as well @full', async ({ page, problems }) => {
  problems.expect(/No price for LAMP-01/)
  await click(page, '1', 'reject')
  await click(page, '1', 'message')
  await page.goto(`${culvert().origin}/issues`)
  const rejection = page.getByRole('row').filter({ hasText: 'RangeError' })
  await expect(rejection).toContainText('No price for LAMP-01')
  await expect(rejection).toContainText('loadPrices')
  await expect(page.getByRole('row').filter({ hasText: 'Checkout took 9 s' })).toBeVisible()
})

test('a rate-limited SDK sends nothing until the limit ends, then sends @full', async ({
  page,
  problems,
}) => {
  // The browser logs the 429.
  problems.expect(/status of 429/)
  const limited = await culvert().createProject('Limited')
  await culvert().run('limits', 'set', 'limited', '--per-key', 'error=1/3s')
  await page.goto(app.address(limited.dsn, '1'))
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.request().postData()?.includes('"type":"event"') === true) statuses.push(response.status())
  })
  const sorted = () => statuses.toSorted((one, other) => one - other)
  // In the page: a busy machine may need the whole limit to click several times.
  const visit = (count: number) =>
    page.getByRole('button', { name: 'visit' }).evaluate((button: HTMLButtonElement, clicks) => {
      for (let at = 0; at < clicks; at += 1) button.click()
    }, count)
  const rejected = page.waitForResponse((response) => response.status() === 429)
  // Both are in flight before the first answer.
  await visit(2)
  const headers = (await rejected).headers()
  expect(headers['x-sentry-rate-limits']).toMatch(/^[1-3]:error:key:key_limit$/)
  const seconds = Number(headers['retry-after'])
  // The rejection may be faster than the commit.
  await expect.poll(() => sorted()).toEqual([200, 429])
  await visit(5)
  await expectThroughout(500, () => expect(sorted()).toEqual([200, 429]))
  await pause(seconds * 1000)
  await visit(1)
  await expect.poll(() => sorted()).toEqual([200, 200, 429])
})
