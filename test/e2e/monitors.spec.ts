import type { Page } from '@playwright/test'
import type { Project } from './support/culvert.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { readServedPage } from './support/served-page.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let project: Project
const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Shop')
})

const ping = (path: string, body?: string) =>
  fetch(
    `${culvert().origin}/ping/${new URL(project.dsn).username}/${path}`,
    body === undefined ? {} : { method: 'POST', body },
  )

async function open(page: Page, path: string): Promise<void> {
  await openSettled(page, culvert().origin + path)
}

test('an empty list leads to the guide @full', async ({ page }) => {
  await open(page, '/monitors?project=shop')
  await expect(page.getByRole('heading', { name: 'No monitors found' })).toBeVisible()
  await open(page, '/monitors')
  await expectGoodLayout(page)
  await page.getByRole('link', { name: 'Send check-ins' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Monitors/)
})

test('a monitor is created, fails, is paused, muted and deleted', async ({ page }) => {
  await open(page, '/monitors')
  await page.getByRole('link', { name: 'New cron monitor' }).click()
  await page.getByLabel('Name').fill('Nightly backup')
  await page.getByLabel('Owner').fill('nobody@example.com')
  await page.getByLabel('Schedule').selectOption('Interval')
  await expect(page.getByLabel('Unit')).toBeVisible()
  await expect(page.getByLabel('Crontab')).toBeHidden()
  await page.getByLabel('Schedule').selectOption('Crontab')
  await expect(page.getByLabel('Unit')).toBeHidden()
  await page.getByLabel('Crontab').fill('0 0 4 * * *')
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await expect(page.getByText('A crontab has five fields')).toBeVisible()
  await page.getByLabel('Crontab').fill('0 4 * * *')
  await page.getByLabel('Time zone').fill('Mars/Base')
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await expect(page.getByText('Unknown time zone.')).toBeVisible()
  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await expect(page.getByText('No user with access to the project has this address or name.')).toBeVisible()
  await page.getByLabel('Owner').fill('team:crew')
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await expect(page.getByRole('heading', { name: 'Nightly backup' })).toBeVisible()
  await expect(page.getByText('No check-ins yet.')).toBeVisible()
  await expect(page.getByText('team:crew (no user)')).toBeVisible()

  await ping('nightly-backup', 'stored 7 files')
  await ping('nightly-backup/1', 'disk full')
  await expect.poll(() => readServedPage(page, page.url())).toContain('>Issue</a>')
  await page.reload()
  await expect(page.getByRole('link', { name: 'Issue', exact: true })).toBeVisible()
  await waitUntilSettled(page)
  await expect(page.getByRole('img', { name: /1 failed, 1 ok/ })).toBeVisible()
  await expect(page.getByTitle(/^\d{4}-\d\d-\d\d \d\d:[03]0 – .*: 1 failed, 1 ok$/)).toBeVisible()
  await page.getByText('Output').first().click()
  await expect(page.getByText('disk full')).toBeVisible()
  await page.getByRole('link', { name: '7 days' }).click()
  await expect(page.getByRole('img', { name: /7 days.*1 failed, 1 ok/ })).toBeVisible()

  await page.getByRole('button', { name: 'Mute' }).click()
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Monitors' }).click()
  await expect(page.getByRole('row', { name: /Nightly backup.*paused.*muted/ })).toBeVisible()
  await page.getByRole('link', { name: 'Nightly backup' }).click()
  await page.locator('summary[aria-label="Delete monitor…"]').click()
  await page.getByRole('button', { name: 'Delete monitor' }).click()
  await expect(page.getByRole('heading', { name: 'No monitors yet' })).toBeVisible()
})

test('the issue of a monitor has its own mark, and leads to the monitor @full', async ({ page }) => {
  await ping(`reports-of-${'every-'.repeat(6)}w/fail?create=1`)
  const issues = '/issues?status=all'
  await expect
    .poll(() => readServedPage(page, culvert().origin + issues))
    .toContain('Failed check-in: reports')
  await open(page, issues)
  await expect(page.getByRole('link', { name: /Failed check-in: reports/ })).toBeVisible()
  await expect(page.getByTitle('error, monitor').first()).toBeVisible()
  await page.getByRole('link', { name: /Failed check-in: reports/ }).click()
  await page
    .getByRole('link', { name: /^reports-of-/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/monitors\/[^/]+\/reports-of-/)
  // A long name does not move the state of its monitor.
  await open(page, '/monitors')
  await expect(page.getByText('failing', { exact: true })).toBeVisible()
  await expectGoodLayout(page)
})
