import type { Page } from '@playwright/test'
import { sendEvent } from './support/events.ts'
import { openSettled, waitUntilSettled } from './support/hydration.ts'
import { findIssuePath } from './support/issue-path.ts'
import { expectAccessible } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert, signIn } from './support/test.ts'

let eventId = ''
const culvert = shareCulvert(async (started) => {
  eventId = await sendEvent(await started.createProject('Shop'), { message: 'The cart is empty' })
})

const activity = (page: Page) => page.getByRole('region', { name: 'Activity' })
const field = (page: Page) => activity(page).locator('.new-comment textarea')
const comments = (page: Page) => activity(page).locator('li[data-kind="comment"]')

async function openIssue(page: Page): Promise<void> {
  await openSettled(page, culvert().origin + (await findIssuePath(culvert(), eventId)))
}

test('a posted comment leaves an empty field with the focus, also by Ctrl+Enter', async ({ page }) => {
  await openIssue(page)
  await field(page).fill('By the button')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(comments(page)).toHaveCount(1)
  await expect(field(page)).toHaveValue('')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('By the key')
  await page.keyboard.press('Control+Enter')
  await expect(comments(page)).toHaveCount(2)
  await expect(comments(page).last()).toContainText('By the key')
  await expect(field(page)).toHaveValue('')
  await expect(field(page)).toBeFocused()
})

test('an edit is cancelled, saved and deleted without losing the focus @full', async ({ page }) => {
  await openIssue(page)
  await field(page).fill('To be changed')
  await page.keyboard.press('Control+Enter')
  const comment = comments(page).filter({ hasText: 'To be changed' })
  await comment.getByText('Edit', { exact: true }).click()
  const edit = comment.getByRole('form', { name: 'Edit comment' })
  await edit.getByRole('textbox').fill('Something else')
  await expectAccessible(page)
  await edit.getByRole('button', { name: 'Cancel' }).click()
  const opener = comment.getByText('Edit', { exact: true })
  await expect(opener).toBeFocused()
  await expect(edit.getByRole('textbox')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(edit.getByRole('textbox')).toHaveValue('To be changed')

  await edit.getByRole('textbox').fill('Changed')
  await page.keyboard.press('Control+Enter')
  const changed = comments(page).filter({ hasText: 'Changed' })
  await expect(changed.locator('.comment-text')).toHaveText('Changed')
  await expect(changed.getByRole('textbox')).toBeHidden()
  await expect(changed.getByText('Edit', { exact: true })).toBeFocused()

  await changed.getByText('Delete…', { exact: true }).click()
  await expectAccessible(page)
  await changed.getByRole('button', { name: 'Delete comment' }).click()
  await expect(changed).toHaveCount(0)
  await expect(page.locator('.notice')).toContainText('Comment deleted.')
  expect(await page.evaluate(() => document.activeElement?.closest('#activity')?.id)).toBe('activity')
})

test('a comment that fails keeps its text, also through a sign-in @full', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/status of 500|UnansweredError/)
  await openIssue(page)
  await page.route('**/_serverFn/**', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await field(page).fill('Worth keeping')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.locator('.notice').getByRole('alert')).toBeVisible()
  await expect(field(page)).toHaveValue('Worth keeping')
  await page.unrouteAll()

  await context.clearCookies()
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Sign in again' })).toBeVisible()
  await expect(field(page)).toHaveValue('Worth keeping')
  await signIn(context, culvert())
  await page.reload()
  await waitUntilSettled(page)
  await expect(field(page)).toHaveValue('Worth keeping')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(comments(page).filter({ hasText: 'Worth keeping' })).toHaveCount(1)
  await page.reload()
  await waitUntilSettled(page)
  await expect(field(page)).toHaveValue('')
})
