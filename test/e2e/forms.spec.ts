import type { Page } from '@playwright/test'
import { delayHydration, waitUntilSettled, openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, shareCulvert, signIn } from './support/test.ts'

const editor = { email: 'editor@example.com', password: 'a password for tests' }

const culvert = shareCulvert(async (started) => {
  await started.createProject('Shop')
  await started.createProject('Before')
  await started.createUser(editor.email, editor.password, 'admin')
})

const notice = (page: Page) => page.locator('.notice')

/** Opens a page, and counts the documents that are requested after that. */
async function open(page: Page, path: string): Promise<{ documents: string[] }> {
  await openSettled(page, culvert().origin + path)
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(request.url())
  })
  return { documents }
}

const retention = (page: Page) => page.getByRole('region', { name: 'Retention' })

test(
  'a form saves in place: no document, no jump, the focus stays, and the notice names the change',
  { tag: '@postgres' },
  async ({ page }) => {
    await page.setViewportSize({ width: 900, height: 500 })
    const { documents } = await open(page, '/projects/shop/limits')
    const days = retention(page).getByLabel('Keep events for (days)')
    await days.fill('45')
    await days.scrollIntoViewIfNeeded()
    const before = await page.evaluate(() => scrollY)
    expect(before).toBeGreaterThan(300)
    await days.press('Enter')
    await expect(notice(page)).toHaveText('Retention saved.')
    await expect(days).toHaveValue('45')
    await expect(days).toBeFocused()
    expect(await page.evaluate(() => scrollY)).toBe(before)
    expect(documents).toEqual([])
  },
)

test('an invalid field shows its error, gets the focus and keeps its value', async ({ page }) => {
  const { documents } = await open(page, '/projects/shop/limits')
  const days = retention(page).getByLabel('Keep events for (days)')
  const events = retention(page).getByLabel('Maximum events')
  await days.fill('100,000')
  await events.fill('2,000,000')
  await retention(page).getByRole('button', { name: 'Save' }).click()
  await expect(days).toHaveAccessibleDescription('Enter at most 3,650.')
  await expect(days).toBeFocused()
  await expect(days).toHaveValue('100,000')
  await expect(events).toHaveValue('2,000,000')
  await days.fill('60')
  await days.press('Enter')
  await expect(notice(page)).toHaveText('Retention saved.')
  await expect(retention(page).getByText('Enter at most')).toHaveCount(0)
  await expect(events).toHaveValue('2,000,000')
  expect(documents).toEqual([])
})

test('a form that is too large shows an error and keeps its values @full', async ({ page }) => {
  await open(page, '/projects/shop/ownership')
  const rules = page.getByLabel('Ownership rules')
  await rules.evaluate((field: HTMLTextAreaElement, text) => (field.value = text), 'a'.repeat(300_000))
  await page.getByRole('button', { name: 'Save ownership' }).click()
  await expect(page.getByText('Not saved. The form is larger than 256 KiB')).toBeVisible()
  expect(await rules.evaluate((field: HTMLTextAreaElement) => field.value.length)).toBe(300_000)
})

test('the user’s name is saved, and the header shows it at once', async ({ page }) => {
  const { documents } = await open(page, '/settings')
  await page.getByLabel('Name').fill('Grace Hopper')
  await page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click()
  await expect(notice(page)).toHaveText('Name saved.')
  await expect(page.getByRole('button', { name: 'Account: Grace Hopper' })).toBeVisible()
  expect(documents).toEqual([])
})

test('limits are rows of category, number and time @full', async ({ page }) => {
  await open(page, '/projects/shop/limits')
  const rows = page.getByRole('group', { name: 'Per project' })
  await rows.getByLabel('Number').fill('1,000')
  await rows.getByRole('button', { name: 'Add a limit' }).click()
  await rows.getByLabel('Category').nth(1).selectOption('Attachments, in bytes')
  await rows.getByLabel('Number').nth(1).fill('50M')
  await rows.getByLabel('Time').nth(1).selectOption('1 hour')
  const panel = page.getByRole('region', { name: 'Rate limits' })
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(notice(page)).toHaveText('Rate limits saved.')
  expect(await culvert().run('limits', 'show', 'shop')).toMatch(/attachment=50000000\/hour error=1000\/min/)
  await expect(page.locator('form[aria-busy="true"]')).toHaveCount(0)
  await rows.getByRole('button', { name: 'Remove limit 1' }).click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(rows.getByLabel('Number').first()).toHaveValue('1,000')
  await expect.poll(() => culvert().run('limits', 'show', 'shop')).not.toMatch(/attachment=/)
})

test('a field fits its largest number @full', async ({ page }) => {
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 })
    await open(page, '/projects/shop/limits')
    for (const label of [
      'Events stored per issue',
      'Then store one in',
      'Keep events for (days)',
      'Maximum events',
    ]) {
      const field = page.getByLabel(label, { exact: true })
      await field.fill('100,000,000')
      expect((await field.boundingBox())?.width, label).toBeLessThanOrEqual(180)
      expect(await field.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), label).toBe(0)
    }
  }
})

test('a form follows changes by other users until a value is entered in it @full', async ({
  page,
  openContext,
}) => {
  const path = '/projects/shop/limits'
  await open(page, path)
  const context = await openContext()
  await signIn(context, culvert())
  const other = await context.newPage()
  await open(other, path)
  const save = async (of: Page, days: string) => {
    await retention(of).getByLabel('Keep events for (days)').fill(days)
    await retention(of).getByRole('button', { name: 'Save' }).click()
  }
  await save(other, '31')
  await expect(notice(other)).toHaveText('Retention saved.')
  await save(page, '32')
  const alert = retention(page).getByRole('alert')
  await expect(alert).toContainText('Not saved: someone else changed this after you opened the page.')
  await expect(alert.getByRole('link')).toHaveAttribute('target', '_blank')
  await expect(retention(page).getByLabel('Keep events for (days)')).toHaveValue('32')
  await retention(page).getByRole('button', { name: 'Save' }).click()
  await expect(notice(page)).toHaveText('Retention saved.')
  await expect(alert).toHaveCount(0)
  // Another tab of the same browser is notified, and its untouched form shows the change.
  const tab = await page.context().newPage()
  await open(tab, path)
  await save(page, '33')
  await expect(retention(tab).getByLabel('Keep events for (days)')).toHaveValue('33')
  await save(tab, '34')
  await expect(notice(tab)).toHaveText('Retention saved.')
})

test('a value entered before the page is interactive stays when another user saves @full', async ({
  page,
}) => {
  const path = '/projects/shop/limits'
  const days = (of: Page) => retention(of).getByLabel('Keep events for (days)')
  const hydrate = await delayHydration(page)
  await page.goto(`${culvert().origin}${path}`, { waitUntil: 'commit' })
  await days(page).fill('40')
  hydrate()
  await waitUntilSettled(page)
  const tab = await page.context().newPage()
  await open(tab, path)
  await days(tab).fill('41')
  await retention(tab).getByRole('button', { name: 'Save' }).click()
  await expect(notice(tab)).toHaveText('Retention saved.')
  await waitUntilSettled(page)
  await expect(days(page)).toHaveValue('40')
  await retention(page).getByRole('button', { name: 'Save' }).click()
  await expect(retention(page).getByRole('alert')).toContainText('Not saved: someone else changed this')
  await expect(days(page)).toHaveValue('40')
})

test('a token is shown once, below the button that created it @full', async ({ page }) => {
  const { documents } = await open(page, '/settings/tokens')
  const panel = page.getByRole('region', { name: 'Create token' })
  await panel.getByLabel('Name').fill('Deploys')
  await panel.getByRole('button', { name: 'Create' }).click()
  await expect(panel.locator('.invite-link')).toHaveText(/^\S{30,}$/)
  await expect(panel.getByLabel('Name')).toHaveValue('')
  await expect(page.getByRole('region', { name: 'Your tokens' })).toContainText('Deploys')
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Profile' })).toBeVisible()
  await page.goBack()
  await expect(panel.locator('.invite-link')).toHaveCount(0)
  await page.locator('summary[aria-label="Revoke Deploys…"]').click()
  await page.getByRole('button', { name: 'Revoke Deploys' }).click()
  await expect(notice(page)).toHaveText('Token revoked.')
  // It was the only one: the list with the focus is gone.
  await expect(page.getByRole('main')).toBeFocused()
  expect(documents).toEqual([])
})

test('a test event is sent without leaving the page, and its link opens the event', async ({ page }) => {
  await open(page, '/projects/shop/setup')
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByRole('link', { name: /^open event [0-9a-f]{12}$/ }).click()
  await expect(page).toHaveURL(/\/events\/[0-9a-f]{32}$/)
  await expect(page.getByRole('heading', { name: /TestEvent/ }).first()).toBeVisible()
})

test('a renamed project redirects to its new address @full', async ({ page }) => {
  const { documents } = await open(page, '/projects/before')
  await page.getByLabel('Slug').fill('after')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/projects\/after$/)
  await expect(notice(page)).toContainText('Name saved.')
  // The address changes before the page does: its links show that the form is the one of the new address.
  const keys = page.getByRole('navigation').getByRole('link', { name: 'Keys' })
  await expect(keys).toHaveAttribute('href', '/projects/after/keys')
  await expect(page.locator('form[aria-busy="true"]')).toHaveCount(0)
  await page.getByLabel('Slug').fill('Not A Slug')
  await page.getByLabel('Slug').evaluate((input: HTMLInputElement) => input.removeAttribute('pattern'))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Slug')).toHaveAccessibleDescription(/^Use lower-case letters/)
  expect(documents).toEqual([])
})

async function endSession(page: Page): Promise<void> {
  const { origin, session } = culvert()
  await page.context().addCookies([{ ...session, value: 'ended', url: origin }])
}

test.describe('when the session has ended', () => {
  test('a form reports it, keeps the entered values, and links to the sign-in and back @full', async ({
    page,
  }) => {
    await open(page, '/projects/shop/limits?from=here')
    await endSession(page)
    await retention(page).getByLabel('Keep events for (days)').fill('12')
    await retention(page).getByRole('button', { name: 'Save' }).click()
    const alert = retention(page).getByRole('alert')
    await expect(alert).toContainText('Not saved. Your session has ended.')
    await expect(retention(page).getByLabel('Keep events for (days)')).toHaveValue('12')
    await alert.getByRole('link', { name: 'Sign in again' }).click()
    await expect(page).toHaveURL(/\/login\?to=%2Fprojects%2Fshop%2Flimits/)
    await page.getByLabel('Email').fill(editor.email)
    await page.getByLabel('Password').fill(editor.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(/\/projects\/shop\/limits/)
    await expect(page.getByRole('heading', { name: 'Limits and retention' })).toBeVisible()
  })

  test('a page opened by a link redirects to the sign-in and back', async ({ page }) => {
    await open(page, '/projects')
    await endSession(page)
    // Outside of the viewport before, so that it was not prefetched.
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.locator('#user-menu').getByRole('link', { name: 'Settings' }).click()
    await expect(page).toHaveURL(/\/login\?to=%2Fsettings$/)
  })
})
