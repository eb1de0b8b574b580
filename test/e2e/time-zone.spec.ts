import type { Page } from '@playwright/test'
import { dayMs, hourMs, minuteMs, stepsUntil } from '#time/time-steps.ts'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent } from './support/events.ts'
import { openSettled } from './support/hydration.ts'
import { findIssuePath } from './support/issue-path.ts'
import { expect, shareCulvert, test } from './support/test.ts'

// Neither on the hour nor with another offset in summer.
test.use({ timezoneId: 'Australia/Darwin' })

const occurredAt = stepsUntil(Date.now() - 3 * dayMs, { stepMs: minuteMs, stepCount: 1 }).since
let project: Project
let eventId = ''

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Shop')
  eventId = await sendEvent(project, { ...fullEvent('PaymentError'), timestamp: occurredAt / 1000 })
})

/** The instant as a clock ahead of UTC shows it. */
function wallTime(aheadMs: number): string {
  return new Date(occurredAt + aheadMs).toISOString()
}

const berlinAhead = () => {
  const text = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', timeZoneName: 'longOffset' })
  return text.format(occurredAt).includes('+02') ? 2 : 1
}

async function openEvents(page: Page): Promise<void> {
  await page.goto(`${culvert().origin}${await findIssuePath(culvert(), eventId)}/events`)
}

/** Saves the zone in the settings. */
async function choose(page: Page, zone: string): Promise<void> {
  await page.goto(`${culvert().origin}/settings`)
  const panel = page.getByRole('region', { name: 'Time zone' })
  await panel.getByLabel('Times are in').selectOption(zone)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.notice')).toHaveText('Time zone saved.')
}

test('times are in the zone of the browser, which the page names', async ({ page }) => {
  await page.goto(`${culvert().origin}/events/${eventId}`)
  await expect(page.getByRole('contentinfo')).toContainText('Times in Australia/Darwin')
  const local = wallTime((9 * 60 + 30) * minuteMs)
  const text = `${local.slice(0, 10)} ${local.slice(11, 19)} UTC+9:30`
  await expect(page.locator(`time[title="${text}"]`).first()).toBeVisible()
  // The breadcrumbs, the trend and the tooltips are in the same zone.
  const titled = page.locator('time[title]')
  expect(await titled.count()).toBeGreaterThan(1)
  await expect(page.locator('time[title]:not([title$=" UTC+9:30"])')).toHaveCount(0)
})

test('ages are current when the page is shown again after the machine has slept @full', async ({ page }) => {
  await page.clock.install()
  await openSettled(page, `${culvert().origin}/issues`)
  const age = page
    .getByRole('row', { name: /PaymentError/ })
    .locator('.time-cell time')
    .first()
  await expect(age).toHaveText(/^3.d ago$/)
  // No timer fires meanwhile.
  await page.clock.setSystemTime(Date.now() + 2 * dayMs)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(age).toHaveText(/^5.d ago$/, { timeout: 5_000 })
})

test('the time filter is in the user’s zone, and its address means the same to all @full', async ({
  page,
}) => {
  await openEvents(page)
  const filters = page.getByRole('form', { name: 'Filters' })
  const local = wallTime((9 * 60 + 30) * minuteMs).slice(0, 16)
  await filters.getByLabel('From (Australia/Darwin)').fill(local)
  await filters.getByLabel('From (Australia/Darwin)').press('Enter')
  await expect(page).toHaveURL(
    new RegExp(`since=${encodeURIComponent(wallTime(0).slice(0, 16))}`.replaceAll('%3A', '(%3A|:)')),
  )
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await page.reload()
  await expect(filters.getByLabel('From (Australia/Darwin)')).toHaveValue(local)
  const later = wallTime((9 * 60 + 31) * minuteMs).slice(0, 16)
  await filters.getByLabel('From (Australia/Darwin)').fill(later)
  await filters.getByLabel('From (Australia/Darwin)').press('Enter')
  await expect(page.locator('tbody tr')).toHaveCount(0)
})

test('a time filter shows the whole date and time on a phone @full', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await openEvents(page)
  const field = page.getByRole('form', { name: 'Filters' }).getByLabel('From (Australia/Darwin)')
  const widths = await field.evaluate((input) => {
    const shown = input.clientWidth
    input.style.inlineSize = 'max-content'
    return { shown, whole: input.clientWidth }
  })
  expect(widths.shown).toBeGreaterThanOrEqual(widths.whole)
})

test('a zone that was selected in the settings is used on every machine', async ({ page }) => {
  await choose(page, 'Europe/Berlin')
  await expect(page.getByRole('contentinfo')).toContainText('Times in Europe/Berlin')
  await page.goto(`${culvert().origin}/events/${eventId}`)
  const local = wallTime(berlinAhead() * hourMs)
  const text = `${local.slice(0, 10)} ${local.slice(11, 19)} UTC+${berlinAhead()}`
  await expect(page.locator(`time[title="${text}"]`).first()).toBeVisible()
  await choose(page, '')
  await expect(page.getByRole('contentinfo')).toContainText('Times in Australia/Darwin')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('times are in UTC, and labelled so, until a zone is selected @full', async ({ page }) => {
    await page.goto(`${culvert().origin}/events/${eventId}`)
    await expect(page.getByRole('contentinfo')).toContainText('Times in UTC')
    const utc = `${wallTime(0).slice(0, 10)} ${wallTime(0).slice(11, 19)} UTC`
    await expect(page.locator(`time[title="${utc}"]`).first()).toBeVisible()

    await choose(page, 'Europe/Berlin')
    await openEvents(page)
    const filters = page.getByRole('form', { name: 'Filters' })
    const local = wallTime(berlinAhead() * hourMs).slice(0, 16)
    await filters.getByLabel('From (Europe/Berlin)').fill(local)
    await filters.getByRole('button', { name: 'Apply' }).click()
    await expect(page.locator('tbody tr')).toHaveCount(1)
    await expect(filters.getByLabel('From (Europe/Berlin)')).toHaveValue(local)
    await choose(page, '')
  })
})
