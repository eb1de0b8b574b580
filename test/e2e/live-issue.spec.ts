import type { Page } from '@playwright/test'
import { appConfig } from '../../app.config.ts'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent } from './support/events.ts'
import { waitUntilSettled } from './support/hydration.ts'
import { expect, shareCulvert, test } from './support/test.ts'

let shop: Project
const culvert = shareCulvert(async (started) => {
  shop = await started.createProject('Shop')
})

function send(name: string, userId: string): Promise<string> {
  return sendEvent(shop, { ...fullEvent(name), fingerprint: [name], user: { id: userId } })
}

/** The value of a fact about the issue. */
const fact = (page: Page, term: string) =>
  page.locator('.detail-facts dl > div').filter({ hasText: term }).locator('dd')

const latest = (page: Page) =>
  page.getByRole('navigation', { name: 'Events of this issue' }).getByRole('link', { name: 'Latest' })

async function openIssue(page: Page, name: string): Promise<void> {
  await page.goto(`${culvert().origin}/issues`)
  await page.getByRole('link', { name: new RegExp(`^${name} `) }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await waitUntilSettled(page)
}

test('an open issue page counts new events, and keeps the event that it shows', async ({ page }) => {
  const eventId = await send('CardError', 'ada')
  await page.clock.install()
  await openIssue(page, 'CardError')
  await expect(fact(page, 'Events')).toHaveText('1')
  const frame = page.getByRole('heading', { name: 'Exception' })
  const place = await frame.boundingBox()
  const latestId = await send('CardError', 'ben')
  await page.clock.fastForward(appConfig.liveIssueMs)
  await expect(fact(page, 'Events')).toHaveText('2')
  await expect(fact(page, 'Users')).toHaveText('2')
  await expect(page.locator('.trend-scale')).toContainText('peak 2')
  await expect(page.locator('.event-bar')).toContainText('1 of 2')
  await expect(page.locator('.event-id')).toContainText(eventId)
  await expect(latest(page)).toHaveAttribute('href', `/events/${latestId}`)
  expect(await frame.boundingBox()).toEqual(place)
})

test('an issue page keeps its event when its own change reloads it', async ({ page }) => {
  const eventId = await send('TaxError', 'ada')
  await openIssue(page, 'TaxError')
  await send('TaxError', 'ben')
  await page.getByRole('textbox', { name: 'Comment' }).fill('Looking into it')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.locator('.activity').getByText('Looking into it').first()).toBeVisible()
  await expect(fact(page, 'Events')).toHaveText('2')
  await expect(page.locator('.event-id')).toContainText(eventId)
  await expect(latest(page)).toBeVisible()
})
