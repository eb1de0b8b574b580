import type { Page } from '@playwright/test'
import { expectThroughout, pause } from '#test/waiting.ts'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent, sendIssues } from './support/events.ts'
import { openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, serveCulvert } from './support/test.ts'

let shop: Project
const culvert = serveCulvert(async (started) => {
  shop = await started.createProject('Shop')
})

test.describe.configure({ mode: 'serial', timeout: 90_000 })

const rows = (page: Page) => page.locator('.issue-table tbody tr')
const news = (page: Page) => page.locator('.new-rows')

function send(name: string): Promise<string> {
  return sendEvent(shop, { ...fullEvent(name), fingerprint: [name] })
}

const firstLines = (texts: string[]) => texts.map((text) => text.split('\n')[0])

const firstTrouble = { ...fullEvent('First trouble'), fingerprint: ['First trouble'] }

/** Returns the milliseconds that it took. */
async function openStream(page: Page, search = ''): Promise<number> {
  const startedAt = performance.now()
  await page.goto(`${culvert().origin}/issues${search}`)
  // The event stream stays open: the network is never idle.
  await page.waitForRequest('**/live')
  return performance.now() - startedAt
}

test.describe('while links are prefetched:', () => {
  test.use({ prefetches: true })

  test('an installation does not show “No events yet” after an event was acknowledged', async ({ page }) => {
    // Other pages are loaded ahead, too.
    const loadedAhead = page.waitForResponse(
      async (response) =>
        response.url().includes('/_serverFn/') && (await response.text()).includes('isEmptyInstallation'),
    )
    await page.goto(`${culvert().origin}/projects`)
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Issues' }).hover()
    await loadedAhead
    await pause(1_500)
    await sendEvent(shop, { ...firstTrouble, timestamp: Date.now() / 1000 - 3_600 })
    // The prefetched page shows no events.
    await page.evaluate(`
    window.claims = []
    new MutationObserver(() => window.claims.push(document.querySelector('.empty-state h2')?.textContent)).observe(
      document.body, { childList: true, subtree: true })`)
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Issues' }).click()
    await expect(page.getByRole('link', { name: 'First trouble' })).toBeVisible()
    expect(await page.evaluate('window.claims')).not.toContain('No events yet')
  })

  test('new issues are announced within five seconds; nothing moves; a click shows them', async ({
    page,
  }) => {
    await sendIssues(shop, 20)
    const loadMs = await openStream(page)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const link = page.getByRole('link', { name: /^Trouble 19 [A-Z]/ })
    await expect(link).toBeFocused()
    const place = await link.boundingBox()
    // The last row gets an event, too: by the server's order it is first now.
    await sendEvent(shop, firstTrouble)
    for (const name of ['Storm', 'Flood', 'Fire']) await send(name)
    // The list is read again for it, which takes a slow machine as long as to load the page.
    await expect(news(page)).toHaveText('3 new issues · Show', { timeout: 5_000 + loadMs })
    await expect(page).toHaveTitle('(3) Issues · Culvert')
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/icon-badge.svg')
    expect(await link.boundingBox()).toEqual(place)
    await expect(link).toBeFocused()
    await expect(rows(page)).toHaveCount(21)
    await expect(rows(page).last()).toContainText('First trouble')

    await page.keyboard.press('r')
    await expect(rows(page).first()).toContainText('Fire')
    await expect(rows(page).nth(3)).toContainText('First trouble')
    await expect(rows(page)).toHaveCount(24)
    await expect(page).toHaveTitle('Issues · Culvert')
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/icon.svg')
    await expect(news(page)).toBeEmpty()
  })
})

test('while issues arrive, rows keep their order, and Undo restores a row in place', async ({ page }) => {
  await openStream(page, '?sort=first_seen')
  await page.keyboard.press('j')
  const before = await rows(page).allInnerTexts()
  await send('Meanwhile')
  await page.keyboard.press('e')
  await expect(page.locator('.notice')).toContainText('Resolved.')
  await expect(news(page)).toHaveText('1 new issue · Show')
  await expect(rows(page)).toHaveCount(before.length - 1)
  await page.keyboard.press('z')
  await expect(rows(page)).toHaveCount(before.length)
  expect(firstLines(await rows(page).allInnerTexts())).toEqual(firstLines(before))
})

test("issues outside of the list's filters are not announced @full", async ({ page }) => {
  await openStream(page, '?q=level%3Afatal&status=all')
  const read = page.waitForResponse((response) => response.url().includes('/_serverFn/'))
  await send('Not fatal')
  await read
  await expectThroughout(500, () => expect(news(page)).toHaveCount(0))
  await sendEvent(shop, { ...fullEvent('Fatal'), level: 'fatal', fingerprint: ['fatal'] })
  await expect(page.getByRole('link', { name: /^Fatal [A-Z]/ })).toBeVisible()
})

test('the link of the current screen loads it again @full', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/)
  await page.route('**/live', (route) => route.abort())
  // The code for it is loaded after the page.
  await openSettled(page, `${culvert().origin}/issues`)
  await send('Unannounced')
  const link = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Issues' })
  await link.click()
  await expect(rows(page).first()).toContainText('Unannounced')
  await openSettled(page, `${culvert().origin}/issues?project=shop`)
  await expect(rows(page).first()).toContainText('Unannounced')
  await send('Unannounced either')
  await link.click()
  await expect(page).toHaveURL(/\/issues$/)
  await expect(rows(page).first()).toContainText('Unannounced either')
})

test('a hidden tab announces once, then pauses until it is shown @full', async ({ page }) => {
  await openStream(page)
  const show = (state: string) =>
    page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
      document.dispatchEvent(new Event('visibilitychange'))`)
  await show('hidden')
  await send('In the background')
  // A hidden tab reads the list at most every 20 s, and has perhaps just read it.
  await expect(page).toHaveTitle('(1) Issues · Culvert', { timeout: 45_000 })
  let readCount = 0
  page.on('request', (request) => {
    if (request.url().includes('/_serverFn/')) readCount += 1
  })
  // The announcement may be read shortly before the counters of its issue, which are announced as well.
  await expect(async () => {
    const before = readCount
    await expectThroughout(1_000, () => expect(readCount).toBe(before))
  }).toPass()
  const paused = readCount
  await send('Also in the background')
  await expectThroughout(3_000, () => expect(readCount).toBe(paused))
  await show('visible')
  await expect(news(page)).toHaveText('2 new issues · Show')
})

test('one of several tabs is connected, and all announce new issues @full', async ({ page, context }) => {
  const connections: string[] = []
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/live') connections.push(request.url())
  })
  await openStream(page)
  const other = await context.newPage()
  await other.goto(`${culvert().origin}/issues`)
  await expect(other.getByRole('checkbox', { name: 'Select all' })).toBeVisible()
  await expectThroughout(1_000, () => expect(connections).toHaveLength(1))
  await send('For everybody')
  await expect(news(page)).toHaveText('1 new issue · Show', { timeout: 25_000 })
  await expect(news(other)).toHaveText('1 new issue · Show')
  // The connected tab closes; another one takes over.
  await page.close()
  await expect.poll(() => connections.length).toBe(2)
  await send('For the rest')
  await expect(news(other)).toHaveText('2 new issues · Show')
})
