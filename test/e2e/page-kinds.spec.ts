import type { Page } from '@playwright/test'
import { sendIssues } from './support/events.ts'
import { openSettled } from './support/hydration.ts'
import { expect, test, shareCulvert } from './support/test.ts'

const culvert = shareCulvert(async (started) => {
  const shop = await started.createProject('Shop')
  // Opening an issue would mark its items of the inbox as read, which reloads data.
  started.execute('DELETE FROM alert_rules')
  await sendIssues(shop, 60)
})

test.beforeEach(async ({ page }) => {
  await page.clock.install()
})

function countLoads(page: Page, part: string): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.url().includes('/_serverFn/') && decodeURIComponent(request.url()).includes(part)) count += 1
  })
  return () => count
}

/**
 * Advances the clock to that time after the given one. Not during a load, which would time out: callers wait
 * for its page first.
 */
async function passTime(page: Page, since: number, durationMs: number): Promise<void> {
  await page.clock.fastForward(Math.max(0, since + durationMs - (await readClock(page))))
}

/** Scrolls, and waits for the event, without which the router would not save the position. */
const scrollTo = (page: Page, top: number) =>
  page.evaluate(
    (to) =>
      new Promise((resolve) => {
        document.addEventListener('scroll', resolve, { once: true })
        window.scrollTo(0, to)
      }).then(() => undefined),
    top,
  )

const readClock = (page: Page) => page.evaluate(() => Date.now())

async function openIssue(page: Page, number: number): Promise<void> {
  await page.getByRole('link', { name: new RegExp(`^Trouble ${number} [A-Z]`) }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Trouble ${number}`)
}

test('a live page is shown again without a request for 30 s, and requested after that @full', async ({
  page,
}) => {
  // Between these times: settling takes a busy machine seconds.
  const openedAt = await readClock(page)
  await openSettled(page, `${culvert().origin}/issues?sort=first_seen`)
  const loadedAt = await readClock(page)
  const loads = countLoads(page, '"sort"')
  await openIssue(page, 60)
  await passTime(page, openedAt, 25_000)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Issues')
  expect(loads()).toBe(0)
  await openIssue(page, 60)
  await passTime(page, loadedAt, 33_000)
  await page.goBack()
  await expect.poll(loads).toBe(1)
})

test('a settled page is shown again without a request for 300 s, not after that @full', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/issues`)
  const urls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/_serverFn/')) urls.push(decodeURIComponent(request.url()))
  })
  await openIssue(page, 60)
  const eventLink = page.locator('.event-id').getByRole('link')
  const href = (await eventLink.getAttribute('href')) ?? 'missing'
  // Its neighbours, whose links are in view, are prefetched, too.
  const eventId = href.slice('/events/'.length)
  // The open issue page reads the position of the event, too.
  const loads = () => urls.filter((url) => url.includes(eventId) && !url.includes('issueId')).length
  await eventLink.click()
  await expect(page).toHaveURL(new RegExp(href))
  await expect.poll(loads).toBe(1)
  // Going back before the event's page is loaded would abort it.
  const section = page.getByRole('navigation', { name: 'Issue sections' }).locator('[aria-current]')
  await expect(section).toHaveText('Events')
  const loadedAt = await readClock(page)
  await page.goBack()
  await expect(section).toHaveText('Issue')
  await passTime(page, loadedAt, 270_000)
  await page.goForward()
  await expect(section).toHaveText('Events')
  expect(loads()).toBe(1)
  await page.goBack()
  await expect(section).toHaveText('Issue')
  await passTime(page, loadedAt, 310_000)
  await page.goForward()
  await expect.poll(loads).toBe(2)
})

test('back and forward restore scroll, cursor and filters without a request @full', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await openSettled(page, `${culvert().origin}/issues?status=all&sort=first_seen`)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByRole('link', { name: /^Trouble 1 [A-Z]/ })).toBeVisible()
  const url = page.url()
  await scrollTo(page, 220)
  const loads = countLoads(page, 'cursor')
  await openIssue(page, 4)
  const issueLoads = countLoads(page, new URL(page.url()).pathname.slice('/issues/'.length))
  // The router scrolls to the top of a newly shown page.
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await scrollTo(page, 120)
  await page.goBack()
  await expect(page.getByRole('link', { name: /^Trouble 4 [A-Z]/ })).toBeVisible()
  expect(page.url()).toBe(url)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(150)
  expect(loads()).toBe(0)
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trouble 4')
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(120)
  expect([loads(), issueLoads()]).toEqual([0, 0])
})

test('the router scrolls at once, without an animation @full', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(`${culvert().origin}/issues`)
  await expect(page.locator('html')).toHaveCSS('scroll-behavior', 'auto')
})
