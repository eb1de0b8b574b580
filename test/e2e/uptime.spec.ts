import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { serveLocally, type LocalServer } from '#test/listen-locally.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { readServedPage } from './support/served-page.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let shop: LocalServer
let status = 200
const culvert = shareCulvert(async (started) => {
  await started.createProject('Shop')
})

// Checks are seconds apart.
test.describe.configure({ mode: 'serial', timeout: 120_000 })

test.beforeAll(async () => {
  shop = await serveLocally(
    createServer((_request, response) => response.writeHead(status).end('the shop is open')),
  )
})
test.afterAll(() => shop.close())

const checkedUrl = () => `${shop.origin}/health`

async function open(page: Page, path: string): Promise<void> {
  await openSettled(page, culvert().origin + path)
}

/** Reloads the page once it shows what a check found. */
async function reloadOnce(page: Page, shown: string): Promise<void> {
  await expect.poll(() => readServedPage(page, page.url()), { timeout: 50_000 }).toContain(shown)
  await page.reload()
  await waitUntilSettled(page)
}

test('an address is checked, is down, and recovers @full', async ({ page }) => {
  await open(page, '/monitors')
  await page.getByRole('link', { name: 'New uptime monitor' }).click()
  await expect(page.getByRole('heading', { name: 'New uptime monitor' })).toBeVisible()
  await page.getByLabel('Name').fill('Shop')
  await page.getByLabel('Address').fill('ftp://127.0.0.1/')
  await page.getByLabel('Headers').fill('Host: elsewhere')
  await page.getByLabel('Interval').fill('10')
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await expect(page.getByText('Enter a URL that begins with https:// or http://.')).toBeVisible()
  await expect(page.getByText('The check sets this header itself.')).toBeVisible()
  await expect(page.getByText('Enter 30 or more.')).toBeVisible()
  await page.getByLabel('Address').fill(checkedUrl())
  await page.getByLabel('Headers').fill('Authorization: Bearer secret')
  await page.getByLabel('Interval').fill('3600')
  await page.getByLabel('Failure threshold').fill('1')
  await page.getByLabel('Expected text').fill('is open')
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await expect(page.getByRole('heading', { name: 'Shop', exact: true })).toBeVisible()
  const { pathname } = new URL(page.url())
  await reloadOnce(page, 'Status 200')
  await expect(page.getByText('Status 200').first()).toBeVisible()
  await expect(
    page.getByRole('img', { name: /Checks of the last 24 hours in production: 1 up/ }),
  ).toBeVisible()
  await expect(page.getByRole('img', { name: /Response time of the last 24 hours/ })).toBeVisible()

  status = 503
  await page.getByLabel('Interval').fill('1800')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Monitor saved.')).toBeVisible()
  await reloadOnce(page, '>Issue</a>')
  await expect(page.getByRole('link', { name: 'Issue', exact: true }).first()).toBeVisible()
  await expect(page.getByText('Status 503 instead of 2xx')).toBeVisible()
  await expect(page.getByText('down', { exact: true }).first()).toBeVisible()
  await expectGoodLayout(page)

  await open(page, '/issues')
  await expect(page.getByRole('link', { name: /Down: Shop/ })).toBeVisible()
  await expect(page.getByTitle('error, uptime').first()).toBeVisible()

  status = 200
  await open(page, pathname)
  await page.getByRole('button', { name: 'Mute' }).click()
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await reloadOnce(page, '66.6% up')
  await expect(page.getByText('66.6% up').first()).toBeVisible()

  await open(page, '/monitors?kind=uptime&period=90d')
  await expect(page.getByRole('row', { name: /Shop.*muted.*up.*every 30 minutes.*66.6%/ })).toBeVisible()
  await expectGoodLayout(page)
  await page.getByLabel('Kind').selectOption('Cron')
  await expect(page.getByRole('heading', { name: 'No monitors found' })).toBeVisible()
})

test('the status page is public once it is published @full', async ({ page, openContext }) => {
  const stranger = await openContext({ javaScriptEnabled: false })
  const publicPage = await stranger.newPage()
  await open(page, '/settings')
  await page.getByRole('link', { name: 'Status page' }).click()
  await expect(page.getByText('Not published. Its URL will be')).toBeVisible()
  await page.getByLabel(/^Shop/).fill('The shop')
  await page.getByLabel('Publish').check()
  await expectGoodLayout(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Status page published.')).toBeVisible()
  const address = await page.getByRole('link', { name: /\/status\// }).getAttribute('href')
  const answer = await publicPage.goto(address ?? '')
  expect(await answer?.headerValue('cache-control')).toBe('public, max-age=30')
  expect(await answer?.headerValue('set-cookie')).toBeNull()
  await expect(publicPage.getByRole('heading', { name: 'The shop' })).toBeVisible()
  await expect(publicPage.getByText('All services are up')).toBeVisible()
  await expect(publicPage.getByText(/was down for/)).toBeVisible()
  expect(await publicPage.content()).not.toContain('127.0.0.1')
  expect(await stranger.cookies()).toEqual([])
  await page.goto(address ?? '')
  await expectGoodLayout(page)
})
