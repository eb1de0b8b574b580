import type { Page } from '@playwright/test'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent } from './support/events.ts'
import { expectGoodLooks } from './support/looks.ts'
import { expect, shareCulvert, test } from './support/test.ts'

let project: Project

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Shop')
})

test.describe.configure({ mode: 'serial', timeout: 90_000 })

const bell = (page: Page) => page.getByRole('link', { name: /^Inbox/ })
const items = (page: Page) => page.getByRole('list').filter({ hasText: 'New issue' }).getByRole('listitem')

/** Opens the inbox until the decisions about everything sent before are in it. */
async function openInbox(page: Page, count: number): Promise<void> {
  await expect(async () => {
    await page.goto(`${culvert().origin}/inbox`)
    await expect(items(page)).toHaveCount(count, { timeout: 1_000 })
  }).toPass()
}

test('an empty inbox says what will be in it', async ({ page }) => {
  await page.goto(`${culvert().origin}/inbox`)
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Nothing unread')
  await expect(bell(page)).toHaveAccessibleName('Inbox')
  await expectGoodLooks(page)
})

test('new issues are in the inbox of every member, and are read with the keyboard', async ({ page }) => {
  for (const name of ['CartError', 'PaymentError', 'AddressError']) await sendEvent(project, fullEvent(name))
  await openInbox(page, 3)
  await expect(bell(page)).toHaveAccessibleName('Inbox, 3 unread')
  await expectGoodLooks(page)
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(items(page).nth(1).getByRole('link')).toBeFocused()
  await page.keyboard.press('e')
  await expect(items(page)).toHaveCount(2)
  await expect(bell(page)).toHaveAccessibleName('Inbox, 2 unread')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/issues\/\d+/)
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/\/inbox$/)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Nothing unread')
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await expect(items(page)).toHaveCount(3)
})

test('who wants to be told about nothing new is not', async ({ page }) => {
  await page.goto(`${culvert().origin}/settings/notifications`)
  await page.getByLabel('New issue').selectOption('Not at all')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.notice')).toContainText('Notifications saved.')
  await page.reload()
  await expect(page.getByLabel('New issue')).toHaveValue('none')
})
