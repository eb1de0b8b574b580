import type { Project } from './support/culvert.ts'
import { sendEvent, sendItems } from './support/events.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { readServedPage } from './support/served-page.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const redirect = {
  platform: 'node',
  environment: 'production',
  release: 'shop@1.2.3',
  exception: { values: [{ type: 'Error', value: 'NEXT_REDIRECT;replace;/login;307;' }] },
}

let recorded: Project

const culvert = shareCulvert(async (started) => {
  recorded = await started.createProject('Recorded')
  const shop = await started.createProject('Shop')
  await sendEvent(shop, { message: 'worth keeping' })
  await sendEvent(shop, redirect)
  await sendEvent(shop, redirect)
  await sendEvent(await started.createProject('Blog'), { message: 'worth keeping' })
  await started.createProject('Empty')
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

test('a filtered event is found by its digest and its id, with a link to its sample', async ({ page }) => {
  const { origin } = culvert()
  const eventId = await sendEvent(await culvert().createProject('Filtered'), redirect)
  const answer = page.getByRole('region', { name: 'Filtered' })
  // Another process created the project, and the server notices within a second.
  await expect(async () => {
    await page.goto(`${origin}/digest`)
    await page.getByLabel('Digest, event ID or trace ID').fill(eventId.slice(0, 12))
    await page.getByRole('button', { name: 'Look up' }).click()
    await expect(answer).toContainText('Dropped by redirect-error', { timeout: 2_000 })
  }).toPass()
  const dashed = eventId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  for (const text of [eventId, dashed])
    expect(await readServedPage(page, `${origin}/digest?q=${text}`)).toContain('View sample')
  await waitUntilSettled(page)
  await expectGoodLayout(page)
  await answer.getByRole('link', { name: 'View sample' }).click()
  await expect(page.getByRole('region', { name: '1 sample' })).toContainText(
    '"NEXT_REDIRECT;replace;/login;307;"',
  )
  await expectGoodLayout(page)
})

test('a project without items shows the purpose of the screen @full', async ({ page }) => {
  await page.goto(`${culvert().origin}/outcomes?project=empty`)
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Nothing received in 24 hours')
})

test('items that Culvert does not store are not errors, and the setup lists them', async ({ page }) => {
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

test('the outcomes are accessible and fit, with everything unfolded @full', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/outcomes`)
  await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)))
  await expectGoodLayout(page)
})
