import type { Page } from '@playwright/test'
import { fullEvent, sendEvent } from './support/events.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const culvert = shareCulvert(async (started) => {
  await sendEvent(await started.createProject('Shop'), fullEvent('PaymentError'))
})

const accountMenu = (page: Page) => page.locator('.user-menu-panel')

async function openIssue(page: Page): Promise<void> {
  await openSettled(page, `${culvert().origin}/issues`)
  await page.locator('tbody a.row-link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('PaymentError')
}

test('the account menu closes when one of its pages opens and on back navigation @full', async ({ page }) => {
  await openIssue(page)
  await page.getByRole('button', { name: /^Account/ }).click()
  await accountMenu(page).getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account')
  await expect(accountMenu(page)).toBeHidden()
  await page.getByRole('button', { name: /^Account/ }).click()
  await expect(accountMenu(page)).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('PaymentError')
  await expect(accountMenu(page)).toBeHidden()
})

test('going back closes the palette and the list of shortcuts of the page before @full', async ({ page }) => {
  await openIssue(page)
  for (const key of ['Control+k', '?']) {
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Issues')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.goForward()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('PaymentError')
  }
})

test('a menu closes on a click outside in a browser that does not focus its button @full', async ({
  page,
}) => {
  await openIssue(page)
  await waitUntilSettled(page)
  // Safari does the same.
  await page.evaluate(() =>
    document.addEventListener('mousedown', (event) => {
      if (event.target instanceof Element && event.target.closest('summary') !== null) event.preventDefault()
    }),
  )
  const menu = page.locator('.issue-actions details[open]')
  await page.locator('.issue-actions summary', { hasText: 'More' }).click()
  await expect(menu).toHaveCount(1)
  await page.getByRole('heading', { level: 1 }).click()
  await expect(menu).toHaveCount(0)
})
