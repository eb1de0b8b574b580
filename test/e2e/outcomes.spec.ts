import type { Page } from '@playwright/test'
import type { Project } from './support/culvert.ts'
import { sendEvent, sendItems } from './support/events.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { expect, onePageTest as test, serveCulvert } from './support/test.ts'

const redirect = {
  platform: 'node',
  environment: 'production',
  release: 'shop@1.2.3',
  exception: { values: [{ type: 'Error', value: 'NEXT_REDIRECT;replace;/login;307;' }] },
}

let recorded: Project

const culvert = serveCulvert(async (started) => {
  recorded = await started.createProject('Recorded')
  const shop = await started.createProject('Shop')
  await sendEvent(shop, { message: 'worth keeping' })
  await sendEvent(shop, redirect)
  await sendEvent(shop, redirect)
  await sendEvent(await started.createProject('Blog'), { message: 'worth keeping' })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('filtered items are counted under their reason and have a sample', async ({ page }) => {
    await page.goto(`${culvert().origin}/issues`)
    await page.getByRole('link', { name: 'Ingestion' }).click()
    await expect(page.getByRole('img', { name: /2 accepted, 2 filtered/ })).toBeVisible()
    await expect(page.locator('.chart-plot > p')).toHaveText('40')
    await expect(page.getByRole('row', { name: /redirect-error .* error 2 50%/ })).toBeVisible()
    const samples = page.locator('#samples')
    await samples.getByText('redirect-error').click()
    const title = samples.getByText('Error: NEXT_REDIRECT;replace;/login;307;')
    await expect(title).toHaveCount(2)
    await expect(samples.getByText('shop@1.2.3').first()).toBeVisible()
    await samples.getByText('Payload').first().click()
    await expect(samples.getByText('"type": "Error"').first()).toBeVisible()
  })
})

/**
 * Looks an id up until the project is accessible: another process created it, and the server notices within a
 * second.
 */
async function lookUp(page: Page, text: string): Promise<void> {
  await expect(async () => {
    await page.goto(`${culvert().origin}/digest`)
    await page.getByLabel('Digest, event ID or trace ID').fill(text)
    await page.getByRole('button', { name: 'Look up' }).click()
    await expect(page.getByRole('region', { name: 'Filtered' })).toBeVisible({ timeout: 2_000 })
  }).toPass()
}

test.describe('a filtered event', () => {
  test.use({ javaScriptEnabled: false })

  test('is found by its digest and its id, with a link to its sample', async ({ page }) => {
    const shop = await culvert().createProject('Filtered')
    const eventId = await sendEvent(shop, redirect)
    const dashed = eventId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    for (const text of [eventId.slice(0, 12), eventId, dashed]) {
      await lookUp(page, text)
      const answer = page.getByRole('region', { name: 'Filtered' })
      await expect(answer).toContainText('Dropped by redirect-error')
      await answer.getByRole('link', { name: 'View sample' }).click()
      await expect(page.getByRole('region', { name: '1 sample' })).toContainText(
        '"NEXT_REDIRECT;replace;/login;307;"',
      )
    }
  })
})

test('the sample of a filtered event is accessible and fits', async ({ page }) => {
  const eventId = await sendEvent(await culvert().createProject('Sampled'), redirect)
  await lookUp(page, eventId.slice(0, 12))
  await waitUntilSettled(page)
  await expectGoodLayout(page)
  await page.getByRole('link', { name: 'View sample' }).click()
  await expect(page.getByRole('region', { name: '1 sample' })).toBeVisible()
  await expectGoodLayout(page)
})

test('a project without items shows the purpose of the screen', async ({ page }) => {
  await page.goto(`${culvert().origin}/outcomes?project=app`)
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Nothing received in 24 hours')
})

test('items that Culvert does not store are no errors, and the setup lists them', async ({ page }) => {
  await sendItems(recorded, 'c9'.padEnd(32, '0'), [[{ type: 'replay_event' }, {}]])
  await page.goto(`${culvert().origin}/projects/recorded/setup`)
  const stored = page.getByRole('region', { name: 'Supported data' })
  await expect(stored).toContainText('Not stored yet')
  await stored.getByRole('link', { name: 'Ingestion' }).click()
  await expect(page.getByRole('img', { name: 'Outcomes of 24 hours: 1 not supported' })).toBeVisible()
  const group = page.getByRole('row', { name: /not supported Not an error/ })
  await expect(group).toBeVisible()
  const tones = await page
    .locator('.series-mark')
    .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark, '::before').backgroundColor))
  const gray = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.setProperty('background-color', 'var(--ink-soft)')
    return getComputedStyle(probe).backgroundColor
  })
  expect(tones).toEqual([gray, gray])
})

test('the outcomes are accessible and fit, with everything unfolded', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/outcomes`)
  await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)))
  await expectGoodLayout(page)
})

test('noise in Culvert’s own page is only counted as discarded by the client', async ({ page, problems }) => {
  problems.expect(/The navigation was given up/)
  await openSettled(page, `${culvert().origin}/issues`)
  const report = page.waitForResponse((response) => response.url().includes('/monitoring'))
  await page.evaluate(() => {
    void Promise.reject(new DOMException('The navigation was given up', 'AbortError'))
    setTimeout(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    }, 100)
  })
  const { status, body } = await report.then((response) => ({
    status: response.status(),
    body: response.request().postData(),
  }))
  expect(status).toBe(200)
  expect(body).toContain('"client_report"')
  await page.goto(`${culvert().origin}/outcomes?project=culvert`)
  await expect(page.getByRole('row', { name: /before_send .* error 1 100%/ })).toBeVisible()
})
