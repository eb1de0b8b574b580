import type { Page } from '@playwright/test'
import { limits } from '#server/limits.ts'
import { retryWhileBusy, within } from '#server/store/engine/sqlite/busy-wait.ts'
import { copyIssue } from '#test/issue-copies.ts'
import { fullEvent, sendEvent, sendIssues } from './support/events.ts'
import { delayHydration, waitUntilSettled, openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const culvert = shareCulvert(async (started) => {
  const [many, few] = [await started.createProject('Many'), await started.createProject('Few')]
  await sendIssues(many, 120)
  for (const user of ['1', '2', '3']) {
    await sendEvent(few, { ...fullEvent('Popular trouble'), user: { id: user }, environment: 'staging' })
  }
})

const rows = (page: Page) => page.locator('.issue-table tbody tr')
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages of issues' })

test('120 issues are pages of 50, 50 and 20, forward and back, each with its own URL', async ({ page }) => {
  await page.goto(`${culvert().origin}/issues?project=many`)
  await expect(rows(page)).toHaveCount(50)
  await expect(rows(page).first()).toContainText('Trouble 120')

  await pages(page).getByRole('link', { name: 'Next' }).click()
  await expect(rows(page).first()).toContainText('Trouble 70')
  await expect(page).toHaveURL(/[?&]cursor=/)
  await page.reload()
  await expect(rows(page).first()).toContainText('Trouble 70')
  await expect(rows(page)).toHaveCount(50)

  await pages(page).getByRole('link', { name: 'Next' }).click()
  await expect(rows(page).first()).toContainText('Trouble 20')
  await expect(rows(page)).toHaveCount(20)
  await expect(pages(page).getByRole('link', { name: 'Next' })).toHaveCount(0)

  await pages(page).getByRole('link', { name: 'Previous' }).click()
  await expect(rows(page).first()).toContainText('Trouble 70')
  await expect(rows(page)).toHaveCount(50)

  await pages(page).getByRole('link', { name: 'Previous' }).click()
  await expect(rows(page).first()).toContainText('Trouble 120')
  await expect(pages(page).getByRole('link', { name: 'Previous' })).toHaveCount(0)
})

test('the actions for selected issues take two lines on a phone @full', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const bar = page.getByRole('form', { name: 'Selected issues' })
  for (const status of ['unresolved', 'all']) {
    await openSettled(page, `${culvert().origin}/issues?project=many&status=${status}`)
    for (const row of [0, 1]) await rows(page).nth(row).getByRole('checkbox').check()
    for (const label of ['Merge', 'Assign to…', 'Delete…'])
      await expect(bar.getByText(label, { exact: true })).toBeVisible()
    expect((await bar.boundingBox())?.height).toBeLessThan(90)
  }
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar.getByText('Merge')).toBeHidden()
})

test('filters and order are in the URL and survive a reload', { tag: '@postgres' }, async ({ page }) => {
  await page.goto(`${culvert().origin}/issues`)
  await page.getByLabel('Project').focus()
  await page.getByLabel('Project').selectOption({ label: 'Few' })
  await expect(page).toHaveURL(/project=few/)
  await expect(page.getByLabel('Project')).toBeFocused()
  await page.getByLabel('Environment').selectOption('staging')
  await page.getByLabel('Sort by').selectOption('users')
  await expect(page.getByRole('button', { name: 'Apply' })).toHaveCount(0)
  await expect(page).toHaveURL(/project=few/)
  await expect(page).toHaveURL(/environment=staging/)
  await expect(page).toHaveURL(/sort=users/)
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).first()).toContainText('Popular trouble')

  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByLabel('Project')).toHaveValue('few')
  await expect(page.getByLabel('Environment')).toHaveValue('staging')
  await expect(page.getByLabel('Sort by')).toHaveValue('users')

  for (let choices = 0; choices < 3; choices += 1) await page.goBack()
  await expect(page).toHaveURL(/\/issues$/)
  await expect(rows(page)).toHaveCount(50)
  await expect(page.getByLabel('Project')).toHaveValue('')
})

test('a filter that is chosen before the page is interactive applies as soon as it is @full', async ({
  page,
}) => {
  const hydrate = await delayHydration(page)
  await page.goto(`${culvert().origin}/issues`, { waitUntil: 'commit' })
  await page.getByLabel('Search issues').fill('trouble')
  await page.getByLabel('Project').selectOption({ label: 'Few' })
  hydrate()
  await expect(page).toHaveURL(/q=trouble/)
  await expect(page).toHaveURL(/project=few/)
  await expect(rows(page)).toHaveCount(1)
})

test('a search that is typed before the page is interactive can be applied @full', async ({ page }) => {
  const hydrate = await delayHydration(page)
  await page.goto(`${culvert().origin}/issues`, { waitUntil: 'commit' })
  await page.getByLabel('Search issues').fill('Popular')
  hydrate()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/q=Popular/)
  await expect(rows(page)).toHaveCount(1)
})

test('Enter applies a search and keeps the focus, and so does a choice', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/issues`)
  const search = page.getByRole('combobox', { name: 'Search issues' }).or(page.getByLabel('Search issues'))
  await search.fill('Popular')
  await expect(page.getByRole('button', { name: 'Apply' })).toBeVisible()
  await search.press('Enter')
  await expect(rows(page)).toHaveCount(1)
  await expect(search).toBeFocused()
  await expect(page.getByRole('button', { name: 'Apply' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(rows(page)).toHaveCount(50)
  await expect(search).toHaveValue('')
})

test('a deleted project and an environment without events stay selected @full', async ({ page }) => {
  await page.goto(`${culvert().origin}/issues?project=gone&environment=nowhere`)
  await expect(page.getByRole('heading', { name: 'No issues match' })).toBeVisible()
  await expect(page.getByLabel('Project')).toHaveValue('gone')
  await expect(page.getByLabel('Environment')).toHaveValue('nowhere')
  await page.getByLabel('Project').selectOption({ label: 'All projects' })
  await expect(page).not.toHaveURL(/project=/)
  await expect(page.getByLabel('Environment')).toHaveValue('nowhere')
})

test('sorting by users puts the issue that hits most of them first', async ({ page }) => {
  await page.goto(`${culvert().origin}/issues`)
  await page.getByRole('columnheader', { name: 'Users' }).getByRole('link').click()
  await expect(page).toHaveURL(/sort=users/)
  await expect(rows(page).first()).toContainText('Popular trouble')
  await expect(page.getByRole('columnheader', { name: 'Users' })).toHaveAttribute('aria-sort', 'descending')
})

test('a status without issues shows an empty state with a link to all issues', async ({ page }) => {
  await page.goto(`${culvert().origin}/issues?status=resolved`)
  await expect(page.getByRole('heading', { name: 'No issues match' })).toBeVisible()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(rows(page)).toHaveCount(50)
})

test.describe('with more issues than one page of a search scans', () => {
  const vast = shareCulvert(async (started) => {
    const project = await started.createProject('Vast')
    await sendEvent(project, { ...fullEvent('Rare trouble'), level: 'fatal' })
    await started.withStore(async ({ store }) => {
      const copy = () => copyIssue(store.connection, project.id, limits.scannedIssues + 20)
      // The server may be writing at the same moment.
      await retryWhileBusy(copy, within(20_000))
    })
  })

  test('a page without matches reports a search that stopped early; the next continues @full', async ({
    page,
  }) => {
    await page.goto(`${vast().origin}/issues?q=level:fatal`)
    await expect(page.getByRole('heading', { name: 'No issues match so far' })).toBeVisible()
    await pages(page).getByRole('link', { name: 'Next' }).click()
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page).first()).toContainText('Rare trouble')
    await expect(page.getByText('Search stopped early')).toHaveCount(0)
    await pages(page).getByRole('link', { name: 'Previous' }).click()
    await expect(page.getByText('continue on the previous page')).toBeVisible()
    await pages(page).getByRole('link', { name: 'Previous' }).click()
    await expect(page.getByRole('heading', { name: 'No more issues match' })).toBeVisible()
    await page.goBack()
    await expect(page.getByText('continue on the previous page')).toBeVisible()
    await pages(page).getByRole('link', { name: 'Next' }).click()
    await expect(rows(page).first()).toContainText('Rare trouble')
  })
})

test('a list that is scrolled before it is interactive stays where it is @full', async ({ page }) => {
  const hydrate = await delayHydration(page)
  await page.goto(`${culvert().origin}/issues?project=many`, { waitUntil: 'commit' })
  await expect(rows(page)).toHaveCount(50)
  // The router's script at the end of the page scrolls to the top.
  await page.waitForLoadState('domcontentloaded')
  await page.evaluate(() => window.scrollTo(0, 700))
  hydrate()
  await waitUntilSettled(page)
  // What is above the list may become a little lower.
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(650)
})
