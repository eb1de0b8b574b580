import type { Page } from '@playwright/test'
import { fullEvent, sendEvent } from './support/events.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, shareCulvert, test as isolatedTest } from './support/test.ts'

test.use({ prefetches: true })

const culvert = shareCulvert(async (started) => {
  const project = await started.createProject('Shop')
  for (const type of ['PaymentError', 'CartError', 'AddressError']) await sendEvent(project, fullEvent(type))
})

/** Marks the items of the inbox as read once there are that many, because opening an issue would do so. */
async function readInbox(page: Page, count: number): Promise<void> {
  await expect(async () => {
    await page.goto(`${culvert().origin}/inbox`)
    await expect(page.getByRole('link', { name: `Inbox, ${count} unread` })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('link', { name: 'Inbox', exact: true })).toBeVisible()
}

test('from the stream to an issue and back, only page data is loaded, each once', async ({ page }) => {
  await readInbox(page, 3)
  await openSettled(page, `${culvert().origin}/issues`)
  const requests: string[] = []
  const unexpected: string[] = []
  page.on('request', (request) => {
    const { pathname, origin } = new URL(request.url())
    const isPageData = request.method() === 'GET' && pathname.startsWith('/_serverFn/')
    // Chromium requests the icon again when a page's title changes.
    const isFile = pathname.startsWith('/assets/') || pathname === '/icon.svg' || pathname === '/live'
    if (origin !== culvert().origin || !(isPageData || isFile))
      unexpected.push(`${request.method()} ${request.url()}`)
    if (isPageData) requests.push(request.url())
  })
  await page.evaluate(() => document.documentElement.setAttribute('data-same-document', ''))

  await page.getByRole('link', { name: 'CartError' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('CartError')
  await waitUntilSettled(page)
  await page.goBack()
  await expect(page.getByRole('link', { name: 'PaymentError' })).toBeVisible()
  await waitUntilSettled(page)

  await expect(page.locator('html[data-same-document]')).toHaveCount(1)
  expect(unexpected).toEqual([])
  expect(requests).toEqual([...new Set(requests)])
})

test('a screen that was rendered on the server requests no data during hydration', async ({ page }) => {
  const issuePath = await pathOfIssue()
  for (const path of ['/issues', issuePath, '/projects', '/digest']) {
    const loads: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/_serverFn/')) loads.push(request.url())
    })
    await openSettled(page, culvert().origin + path)
    const state = await page.evaluate(() => performance.getEntriesByType('resource').length)
    expect(state).toBeGreaterThan(0)
    // Links in view may prefetch their own pages; this page's data was in the HTML.
    expect(loads.filter((url) => url.includes(encodeURIComponent(path)))).toEqual([])
    page.removeAllListeners('request')
  }
})

test.describe('while the browser saves data', () => {
  test.use({ prefetches: false })

  test('a page with forms is requested once, whether it was prefetched or not @full', async ({ page }) => {
    for (const [from, path] of [
      ['/issues', '/settings'],
      ['/settings', '/settings/members'],
      ['/projects/shop', '/projects/shop/keys'],
      ['/projects/shop', '/projects/shop/inbound'],
    ] as const) {
      for (const isLoadedAhead of [true, false]) {
        await openSettled(page, culvert().origin + from)
        const loads: string[] = []
        page.on('request', (request) => {
          if (request.url().includes('/_serverFn/')) loads.push(request.url())
        })
        const link = page.locator(`a[href="${path}"]`).first()
        if (isLoadedAhead) {
          // A page that is still starting has no listeners.
          await expect(async () => {
            await link.dispatchEvent('touchstart')
            await expect.poll(() => loads, { timeout: 1_000 }).toHaveLength(1)
          }).toPass({ timeout: 20_000 })
          await waitUntilSettled(page)
        }
        await link.dispatchEvent('click')
        await expect(page).toHaveURL(culvert().origin + path)
        await waitUntilSettled(page)
        expect(loads, `${path}, loaded ahead: ${isLoadedAhead}`).toHaveLength(1)
        page.removeAllListeners('request')
      }
    }
  })
})

test('the notice of a posted form is shown once, and not again after going back', async ({ page }) => {
  await page.goto(`${culvert().origin}/settings/tokens`)
  await page.getByLabel('Name').fill('Deploys')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Copy it now')).toBeVisible()
  await waitUntilSettled(page)
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Members')
  await page.getByRole('link', { name: 'API tokens', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('API tokens')
  await expect(page.getByText('Deploys', { exact: true })).toBeVisible()
  await expect(page.getByText('Copy it now')).toHaveCount(0)
})

async function pathOfIssue(): Promise<string> {
  const { origin, session } = culvert()
  const headers = { cookie: `${session.name}=${session.value}` }
  const html = await (await fetch(`${origin}/issues`, { headers })).text()
  const [path] = /\/issues\/[^"/?]+(?=")/.exec(html) ?? []
  if (path === undefined) throw new Error('the stream links to no issue')
  return path
}

test('a successful load keeps the title and moves the focus as a screen reader expects', async ({ page }) => {
  await page.goto(`${culvert().origin}/issues`)
  await expect(page).toHaveTitle('Issues · Culvert')
  await page.getByRole('link', { name: 'CartError' }).click()
  await expect(page).toHaveTitle('CartError · Culvert')
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Projects' }).click()
  await expect(page).toHaveTitle('Projects · Culvert')
})

test('a page that is not found has its own title', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/issues`)
  for (const path of ['/issues/4611686018427387904', '/no/such/screen']) {
    // The router handles it as the click of a link.
    await page.evaluate((href) => history.pushState(null, '', href), path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not found')
    await expect(page).toHaveTitle('Not found · Culvert')
    await page.goBack()
    await expect(page).toHaveTitle('Issues · Culvert')
  }
})

isolatedTest('a link clicked during hydration is followed, and nothing fails @full', async ({ page }) => {
  // A page that hydrates at a quarter of the speed, on a machine with other load.
  isolatedTest.setTimeout(120_000)
  const slow = await page.context().newCDPSession(page)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(clickWhenHydrated, 'header a[href="/projects"]')
  for (const path of ['/issues', await pathOfIssue()]) {
    await page.goto(culvert().origin + path)
    await expect(page).toHaveURL(/\/projects$/, { timeout: 50_000 })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
  }
})

/** Clicks as soon as React has hydrated that element: it hydrates the content of a `Suspense` later. */
function clickWhenHydrated(selector: string): void {
  const timer = setInterval(() => {
    const link = document.querySelector<HTMLElement>(selector)
    if (link === null || !Object.keys(link).some((key) => key.startsWith('__reactProps'))) return
    clearInterval(timer)
    link.click()
  })
}
