import type { Locator, Page } from '@playwright/test'
import { expectThroughout } from '#test/waiting.ts'
import { fullEvent, sendEvent } from './support/events.ts'
import { openSettled } from './support/hydration.ts'
import { failPageData, holdPageData } from './support/page-data.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const culvert = shareCulvert(async (started) => {
  const project = await started.createProject('Shop')
  for (const type of ['PaymentError', 'CartError']) await sendEvent(project, fullEvent(type))
})

const limitMs = 3800
/** How much later than the limit the failure page may be drawn. */
const drawingMs = 2000

async function openStream(page: Page): Promise<void> {
  await openSettled(page, `${culvert().origin}/issues`)
}

/** Follows a link without resting the pointer on it, which would prefetch its page. */
async function follow(link: Locator): Promise<void> {
  await link.dispatchEvent('click')
}

function projectsLink(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Projects' })
}

/**
 * When the failure page appeared after a click, and when timers set by the click fired: one with the time
 * limit, and one with the time for drawing added to it. Milliseconds.
 */
interface FailureTimes {
  failureMs: number
  timerMs: number
  lateTimerMs: number
}

/** Clicks and measures in the page itself: a busy machine delays its timers as much as the limit. */
async function timeToFailure(page: Page, click: () => Promise<void>): Promise<FailureTimes> {
  const times = await page.evaluateHandle(
    ([timeLimitMs, lateMs]) => {
      const measured: Partial<FailureTimes> = {}
      document.addEventListener(
        'click',
        ({ timeStamp }) => {
          setTimeout(() => (measured.timerMs = performance.now() - timeStamp), timeLimitMs)
          setTimeout(() => (measured.lateTimerMs = performance.now() - timeStamp), lateMs)
          const changes = new MutationObserver(() => {
            if (document.querySelector('h1')?.textContent !== 'Application error') return
            measured.failureMs = performance.now() - timeStamp
            changes.disconnect()
          })
          changes.observe(document.body, { childList: true, subtree: true, characterData: true })
        },
        { capture: true, once: true },
      )
      return measured
    },
    [limitMs, limitMs + drawingMs] as const,
  )
  await click()
  await expect(page.getByRole('heading', { name: 'Application error' })).toBeVisible()
  await expect.poll(() => times.evaluate(({ lateTimerMs }) => lateTimerMs)).toBeGreaterThan(0)
  const { failureMs = Number.NaN, timerMs = Number.NaN, lateTimerMs = Number.NaN } = await times.jsonValue()
  return { failureMs, timerMs, lateTimerMs }
}

/**
 * Fails unless the page appeared at the limit: at most 200 ms before it, and before the late timer, which a
 * busy machine delays as well.
 */
function expectAtLimit({ failureMs, lateTimerMs }: FailureTimes): void {
  expect(failureMs).toBeGreaterThan(limitMs - 200)
  expect(failureMs).toBeLessThan(lateTimerMs)
}

test('hanging page data is aborted after 3800 ms: a failure page at its URL', async ({ page, problems }) => {
  problems.expect(/LoadTimeoutError/)
  await openStream(page)
  const requests = await holdPageData(page)
  const aborted = page.waitForEvent('requestfailed')
  expectAtLimit(await timeToFailure(page, () => follow(page.getByRole('link', { name: 'CartError' }))))
  expect((await aborted).failure()?.errorText).toContain('ABORTED')
  await expect(page.getByRole('alert')).toContainText('This page took too long to load.')
  await expect(page).toHaveURL(/\/issues\/\d+$/)
  await requests.releaseAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('CartError')
})

test('the code of a page that hangs ends the same way @full', async ({ page, problems }) => {
  problems.expect(/LoadTimeoutError/)
  await openStream(page)
  let isHanging = true
  await page.route('**/assets/projects-*.js', async (route) => {
    if (!isHanging) await route.continue()
  })
  expectAtLimit(await timeToFailure(page, () => follow(projectsLink(page))))
  await expect(page.getByRole('alert')).toContainText('This page took too long to load.')
  await expect(page).toHaveURL(/\/projects$/)
  await expect(page.getByRole('alert').locator('.failure-digest')).toHaveText(/^Digest: [0-9a-f]{12}/)
  await expect(page).toHaveTitle('Application error · Culvert')
  isHanging = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
})

test('page data that fails twice with 500 is loaded by the third request', async ({ page, problems }) => {
  problems.expect(/status of 500/)
  await openStream(page)
  const asked = await failPageData(page, { part: 'issueId', status: 500, count: 2 })
  await follow(page.getByRole('link', { name: 'CartError' }))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('CartError')
  expect(asked()).toBe(3)
})

test('a page whose data is 500 three times ends early in the failure page @full', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 500|status 500/)
  await openStream(page)
  const asked = await failPageData(page, { part: 'issueId', status: 500, count: 99 })
  const { failureMs, timerMs } = await timeToFailure(page, () =>
    follow(page.getByRole('link', { name: 'CartError' })),
  )
  expect(asked()).toBe(3)
  expect(failureMs).toBeLessThan(timerMs)
})

for (const status of [404, 429]) {
  test(`page data that is answered ${status} is requested once @full`, async ({ page, problems }) => {
    problems.expect(new RegExp(`status of ${status}|status ${status}`))
    await openStream(page)
    const asked = await failPageData(page, { part: 'issueId', status, count: 99 })
    await timeToFailure(page, () => follow(page.getByRole('link', { name: 'CartError' })))
    expect(asked()).toBe(1)
  })
}

test('a proxy whose server is down is not a browser error: no report or digest @full', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 502|Application error\.$/)
  await openStream(page)
  await failPageData(page, { part: 'issueId', status: 502, count: 3 })
  await follow(page.getByRole('link', { name: 'CartError' }))
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('A server-side exception has occurred while loading this page.')
  await expect(alert).not.toContainText('Digest')
  await expect(page).toHaveTitle('Application error · Culvert')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('CartError')
  await expect(page).toHaveTitle('CartError · Culvert')
})

test('an offline page says that it is, and loads when the network is back', async ({ page, problems }) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await openStream(page)
  await page.context().setOffline(true)
  await expect(page.getByText('You’re offline.')).toBeVisible()
  await follow(page.getByRole('link', { name: 'CartError' }))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re offline')
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('CartError')
  await expect(page.getByText('You’re offline.')).toBeHidden()
})

test('a page whose code was removed by a deploy is loaded in full, once', async ({ page, problems }) => {
  problems.expect(/404|dynamically imported module/)
  await openStream(page)
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(request.url())
  })
  // The new document references the code of the new build.
  await page.route('**/assets/projects-*.js', async (route) => {
    if (documents.length === 0) await route.fulfill({ status: 404, body: 'gone' })
    else await route.continue()
  })
  await follow(projectsLink(page))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
  await expect.poll(() => documents).toEqual([`${culvert().origin}/projects`])
})

test('code that stays missing does not make the page reload repeatedly @full', async ({ page, problems }) => {
  problems.expect(/404|dynamically imported module/)
  await openStream(page)
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(request.url())
  })
  await page.route('**/assets/projects-*.js', (route) => route.fulfill({ status: 404, body: 'gone' }))
  await follow(projectsLink(page))
  await expect.poll(() => documents.length).toBe(1)
  await expectThroughout(3_000, () => expect(documents).toHaveLength(1))
})

test('the old page stays while the next one loads; a thin line appears after 200 ms', async ({ page }) => {
  await openStream(page)
  const requests = await holdPageData(page)
  const line = page.locator('.progress-line[data-pending]')
  const seen = await page.evaluateHandle(watchLine)
  await follow(page.getByRole('link', { name: 'CartError' }))
  await expect(line).toHaveCount(1)
  await expect.poll(() => seen.evaluate(({ shownAfterMs }) => shownAfterMs)).toBeGreaterThanOrEqual(200)
  // The element exists at once, and the style sheet shows it later: nothing flashes on a quick load.
  expect(await seen.evaluate(({ firstOpacity }) => firstOpacity)).toBe('0')
  await expect(page.getByRole('link', { name: 'PaymentError' })).toBeVisible()
  await requests.releaseAll()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('CartError')
  await expect(line).toHaveCount(0)
})

/** Runs in the page: how the line of a load looks when it appears, and when it is shown. */
function watchLine() {
  const seen: { firstOpacity?: string; shownAfterMs?: number } = {}
  let clickedAt = 0
  document.addEventListener('click', ({ timeStamp }) => (clickedAt = timeStamp), {
    capture: true,
    once: true,
  })
  const changes = new MutationObserver(() => {
    const line = document.querySelector('.progress-line[data-pending]')
    if (line === null) return
    changes.disconnect()
    const readOpacity = () => getComputedStyle(line, '::before').opacity
    seen.firstOpacity = readOpacity()
    const look = () => {
      if (readOpacity() === '1') seen.shownAfterMs = performance.now() - clickedAt
      else requestAnimationFrame(look)
    }
    look()
  })
  changes.observe(document.body, { childList: true, subtree: true, attributes: true })
  return seen
}
