import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent, sendIssues } from './support/events.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

test.use({ javaScriptEnabled: false })

const eventIds: string[] = []
let project: Project

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Shop')
  await sendIssues(project, 60)
  for (let count = 0; count < 3; count += 1)
    eventIds.push(await sendEvent(project, fullEvent('PaymentError')))
})

test('without JavaScript the stream is readable, filtered by a form and has pages', async ({ page }) => {
  await page.goto(`${culvert().origin}/issues`)
  await expect(page.locator('.issue-table tbody tr')).toHaveCount(50)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.locator('.issue-table tbody tr')).toHaveCount(11)

  await page.getByLabel('Sort by').selectOption('events')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/sort=events/)
  await expect(page.locator('.issue-table tbody tr').first()).toContainText('PaymentError')

  await page.getByRole('link', { name: /^Resolved/ }).click()
  await expect(page.getByRole('heading', { name: 'No issues match' })).toBeVisible()
})

test('without JavaScript an issue is readable and its events can be walked through', async ({ page }) => {
  await page.goto(`${culvert().origin}/issues?sort=events`)
  await page.getByRole('link', { name: 'PaymentError' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('PaymentError')
  await expect(page.getByRole('region', { name: 'Exception' })).toContainText('was declined by the bank')
  await expect(page.getByRole('region', { name: 'Breadcrumbs' })).toContainText('select * from carts')
  await expect(page.locator('.event-id')).toContainText(eventIds[2] ?? '')

  const steps = page.getByRole('navigation', { name: 'Events of this issue' })
  await steps.getByRole('link', { name: 'Previous' }).click()
  await expect(page.locator('.event-id')).toContainText(eventIds[1] ?? '')
  await steps.getByRole('link', { name: 'Next' }).click()
  await expect(page.locator('.event-id')).toContainText(eventIds[2] ?? '')
  await steps.getByRole('link', { name: 'First' }).click()
  await expect(page.locator('.event-id')).toContainText(eventIds[0] ?? '')
})

test('without JavaScript a digest finds its event', async ({ page }) => {
  const eventId = eventIds[1] ?? ''
  await page.goto(`${culvert().origin}/digest`)
  const lookup = page.getByRole('region', { name: 'Lookup' })
  await lookup.getByRole('searchbox').fill(eventId.slice(0, 12))
  await lookup.getByRole('button', { name: 'Look up' }).click()
  await expect(page).toHaveURL(`${culvert().origin}/events/${eventId}`)
  await expect(page.locator('.event-id')).toContainText(eventId)

  await page.goto(`${culvert().origin}/digest/000000000000`)
  await expect(page.getByRole('heading', { name: 'Event not found' })).toBeVisible()
})

test('without JavaScript the projects show their DSN and how to use it', async ({ page }) => {
  await page.goto(`${culvert().origin}/projects`)
  const entry = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Shop', exact: true }) })
  await expect(entry).toContainText(project.dsn)
  await entry.getByText('Set up an SDK').click()
  await entry.getByText('Node.js', { exact: true }).click()
  await expect(entry.getByText('npm install @sentry/node@10')).toBeVisible()
})
