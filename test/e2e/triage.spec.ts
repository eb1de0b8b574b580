import type { Page } from '@playwright/test'
import { sendIssues } from './support/events.ts'
import { openSettled } from './support/hydration.ts'
import { findIssuePath } from './support/issue-path.ts'
import { expectAccessible } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let eventIds: string[] = []

const culvert = shareCulvert(async (started) => {
  eventIds = await sendIssues(await started.createProject('Shop'), 4)
})

const notice = (page: Page) => page.locator('.notice').getByRole('status')
const status = (page: Page) => page.locator('.issue-header .badge')

async function openIssue(page: Page, number: number): Promise<void> {
  await openSettled(page, culvert().origin + (await findIssuePath(culvert(), eventIds[number - 1])))
}

test('menus open, close and return the focus, by keyboard only', async ({ page }) => {
  await openIssue(page, 1)
  const opener = page.locator('summary[aria-label="Archive options"]')
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Until it escalates/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Until it escalates/ })).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '1 day' }).press('Enter')
  await expect(notice(page)).toHaveText('Archived.')
  await expect(status(page)).toHaveText('archived')
  await expect(page.locator('.issue-header-marks')).toContainText('until')
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(notice(page)).toHaveText('Undone.')
  await expect(status(page)).toHaveText('unresolved')
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

test(
  'issues are merged, commented on and unmerged, and the activity lists it',
  { tag: '@postgres' },
  async ({ page }) => {
    // axe checks a long page.
    test.slow()
    await openIssue(page, 2)
    const other = page.url()
    await openIssue(page, 3)
    await page.getByText('More', { exact: true }).click()
    await page.getByLabel('Merge another issue into this one').last().fill(other)
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await expect(notice(page)).toHaveText(/^Merged/)
    const merged = page.getByRole('region', { name: 'Merged issues' })
    await expect(merged.getByRole('listitem')).toHaveCount(2)

    await page.getByRole('textbox', { name: 'Comment' }).fill('**Known** since Monday\n\n1. reproduced')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    const activity = page.getByRole('region', { name: 'Activity' })
    await expect(activity.locator('.comment-text strong')).toHaveText('Known')
    await expect(activity.locator('.comment-text ol')).toHaveCSS('list-style-type', 'decimal')
    await expect(activity).toContainText('merged')
    await expectAccessible(page)

    await merged.getByRole('button', { name: /^Unmerge/ }).click()
    await expect(notice(page)).toHaveText('Unmerged.')
    await expect(merged).toHaveCount(0)
  },
)

test('a deleted issue redirects to the stream', async ({ page }) => {
  await openIssue(page, 4)
  await page.getByText('More', { exact: true }).click()
  await page.getByText('Delete…', { exact: true }).click()
  await page.getByRole('checkbox', { name: /^Delete/ }).check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(notice(page)).toHaveText('Deleted.')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Issues')
  await expect(page.getByRole('link', { name: /^Trouble 4 [A-Z]/ })).toHaveCount(0)
})
