import type { CDPSession, Page } from '@playwright/test'
import { findSystemChromium } from '../../bin/chromium.ts'
import { openSettled } from './support/hydration.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { expect, shareCulvert, test } from './support/test.ts'

const culvert = shareCulvert()

test.describe.configure({ mode: 'serial', timeout: 90_000 })

const button = (page: Page) => page.getByRole('button', { name: 'Show notifications in this browser' })

async function openSettings(page: Page): Promise<void> {
  await openSettled(page, `${culvert().origin}/settings/notifications`)
}

test('a browser that blocks notifications gets an explanation @full', async ({ page, context }) => {
  await context.clearPermissions()
  await openSettings(page)
  await button(page).click()
  await expect(page.getByRole('status').filter({ hasText: 'Notifications are blocked' })).toBeVisible()
  await expectGoodLayout(page)
})

test('without JavaScript the button explains its requirement @full', async ({ openContext, page }) => {
  const context = await openContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const plain = await context.newPage()
  await plain.goto(`${culvert().origin}/settings/notifications`)
  await button(plain).click()
  await expect(plain.getByText('The browser has not subscribed. Notifications need JavaScript')).toBeVisible()
})

test('the service worker shows pushed messages, and opens no other site', async ({ page, context }) => {
  // It has the interface, and keeps no notifications.
  const isHeadlessShell = findSystemChromium(process.env)?.endsWith('headless-shell') === true
  test.skip(isHeadlessShell, 'the headless shell of Chromium shows no notifications')
  const { origin } = culvert()
  await context.grantPermissions(['notifications'], { origin })
  await openSettings(page)
  const cdp = await context.newCDPSession(page)
  const registrationId = await register(page, cdp)
  const push = (data: object) =>
    cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(data) })
  await push({ title: 'New issue in Shop', body: 'TypeError: x', url: `${origin}/issues/1`, tag: 'issue-1' })
  await push({ title: 'Again', body: 'TypeError: x', url: `${origin}/issues/1`, tag: 'issue-1' })
  await push({ title: 'Elsewhere', body: '', url: 'https://evil.example/', tag: 'issue-2' })
  await expect
    .poll(() => listNotifications(page))
    .toEqual([
      { title: 'Again', body: 'TypeError: x', url: `${origin}/issues/1` },
      { title: 'Elsewhere', body: '', url: `${origin}/inbox` },
    ])
})

/** Registers the worker of the console. Returns the id that Chromium gives it. */
async function register(page: Page, cdp: CDPSession): Promise<string> {
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first !== undefined) resolve(first.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js')
    await navigator.serviceWorker.ready
  })
  return registered
}

function listNotifications(page: Page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const shown = await registration.getNotifications()
    return shown
      .map(({ title, body, data }) => ({ title, body, url: (data as { url: string }).url }))
      .toSorted((one, other) => one.title.localeCompare(other.title))
  })
}
