import type { Locator, Page } from '@playwright/test'
import { expectThroughout, pause } from '#test/waiting.ts'
import { appConfig } from '../../app.config.ts'
import { sendIssues } from './support/events.ts'
import { waitUntilSettled } from './support/hydration.ts'
import { holdPageData, type PageDataRequests, pretendConnection } from './support/page-data.ts'
import { expect, onePageTest as test, shareCulvert, test as isolatedTest } from './support/test.ts'

const culvert = shareCulvert(async (started) => {
  await sendIssues(await started.createProject('Shop'), 60)
})

/** Tall enough for all rows of the stream: more than 60 links are in view. */
test.use({ prefetches: true, viewport: { width: 1280, height: 4000 } })

async function openStream(page: Page): Promise<void> {
  await page.goto(`${culvert().origin}/issues`)
}

function linkTo(page: Page, number: number) {
  return page.getByRole('link', { name: new RegExp(`^Trouble ${number} [A-Z]`) })
}

async function issueIdOf(page: Page, number: number): Promise<string> {
  const href = await linkTo(page, number).getAttribute('href')
  return href?.split('/').at(-1) ?? ''
}

/** Rests the pointer on a link for longer than passing over it takes, by the timers of the page. */
async function restOn(link: Locator): Promise<void> {
  const rest = await link.evaluateHandle((element, durationMs) => {
    const state = { isOver: false }
    const begin = () => setTimeout(() => (state.isOver = true), durationMs)
    element.addEventListener('pointerover', begin, { once: true })
    return state
  }, 3 * appConfig.prefetch.intentDelayMs)
  await link.hover()
  await expect.poll(() => rest.evaluate(({ isOver }) => isOver)).toBe(true)
}

/** Resolves when the page has been told that a link is out of view. */
function untilOutOfView(link: Locator): Promise<void> {
  return link.evaluate(
    (element, marginPx) =>
      new Promise<void>((resolve) => {
        const observer = new IntersectionObserver(
          ([entry]) => {
            if (entry?.isIntersecting === false) resolve()
          },
          { rootMargin: `${marginPx}px` },
        )
        observer.observe(element)
      }),
    appConfig.prefetch.viewportMarginPx,
  )
}

const fiveWait = (requests: PageDataRequests) => expect.poll(() => requests.waiting().length).toBe(5)

test('more than sixty links in view never have more than five loads in flight', async ({ page }) => {
  const requests = await holdPageData(page)
  await openStream(page)
  expect(await page.getByRole('link').count()).toBeGreaterThan(60)
  for (let round = 0; round < 8; round += 1) {
    await fiveWait(requests)
    await requests.release()
  }
  expect(requests.mostAtOnce()).toBe(5)
  await requests.releaseAll()
})

test('the rows of a list are loaded first, from top to bottom', async ({ page }) => {
  const requests = await holdPageData(page)
  await openStream(page)
  await fiveWait(requests)
  const rows = await page
    .locator('a.row-link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('/').at(-1) ?? ''))
  const first = requests.waiting()
  for (const [place, id] of rows.slice(0, 5).entries()) expect(first[place]).toContain(id)
  await requests.releaseAll()
})

test('the page under the pointer is loaded next', async ({ page }) => {
  const requests = await holdPageData(page)
  await openStream(page)
  await fiveWait(requests)
  const id = await issueIdOf(page, 30)
  expect(requests.seen().some((url) => url.includes(id))).toBe(false)
  await restOn(linkTo(page, 30))
  const [first] = requests.waiting()
  await requests.release(first)
  await expect.poll(() => requests.seen().length).toBe(6)
  expect(requests.seen()[5]).toContain(id)
  await requests.releaseAll()
})

test('a click during five loads starts immediately; no other one starts before its end @full', async ({
  page,
}) => {
  const requests = await holdPageData(page)
  await openStream(page)
  await fiveWait(requests)
  const id = await issueIdOf(page, 30)
  await linkTo(page, 30).click()
  await expect.poll(() => requests.waiting().some((url) => url.includes(id))).toBe(true)
  expect(requests.waiting()).toHaveLength(6)
  // The five earlier loads are answered; their slots stay empty while the navigation loads.
  for (const url of requests.waiting()) if (!url.includes(id)) await requests.release(url)
  await expect.poll(() => requests.waiting().length).toBe(1)
  await expectThroughout(300, () => expect(requests.waiting()).toHaveLength(1))
  await requests.release(id)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trouble 30')
  expect(requests.seen().filter((url) => url.includes(id))).toHaveLength(1)
  await requests.releaseAll()
})

test('a click on a page that is being prefetched joins that load', async ({ page }) => {
  const requests = await holdPageData(page)
  await openStream(page)
  // The first five are the links of the header; the rows of the stream are next.
  await fiveWait(requests)
  await requests.release()
  await fiveWait(requests)
  const asked = requests.waiting().join('\n')
  // All at once: a prefetch that takes too long reaches its own limit.
  const rows = await page
    .locator('a.row-link')
    .evaluateAll((links) =>
      links.map((link) => ({ title: link.textContent, href: link.getAttribute('href') })),
    )
  const { title = '', href } = rows.find((row) => asked.includes(row.href?.split('/').at(-1) ?? '?')) ?? {}
  const id = href?.split('/').at(-1) ?? ''
  await page.getByRole('link', { name: new RegExp(`^${title} [A-Z]`) }).click()
  await pause(200)
  await requests.release(id)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  expect(requests.seen().filter((url) => url.includes(id))).toHaveLength(1)
  await requests.releaseAll()
})

test.describe('while the browser saves data', () => {
  test.use({ prefetches: false })

  test('a failed prefetch has no effect: the click loads the page', async ({ page, problems }) => {
    problems.expect(/Failed to load resource/)
    await openStream(page)
    await waitUntilSettled(page)
    const id = await issueIdOf(page, 41)
    let failures = 0
    await page.route('**/_serverFn/**', async (route) => {
      const isTarget = route.request().url().includes(id)
      // The only attempt of the prefetch.
      if (isTarget && failures < 1) {
        failures += 1
        await route.abort('connectionreset')
      } else await route.continue()
    })
    await linkTo(page, 41).hover()
    await expect.poll(() => failures).toBe(1)
    await linkTo(page, 41).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trouble 41')
  })

  test('a prefetched page, code and data, opens without another request', async ({ page }) => {
    await openStream(page)
    await waitUntilSettled(page)
    const id = await issueIdOf(page, 20)
    const isAskedFor = (url: string) => url.includes(id) || url.includes('/assets/_issueId-')
    const asked: string[] = []
    page.on('request', (request) => {
      if (isAskedFor(request.url())) asked.push(request.url())
    })
    const data = page.waitForResponse((response) => response.url().includes(id))
    const code = page.waitForResponse('**/assets/_issueId-*.js')
    await linkTo(page, 20).hover()
    await Promise.all([data, code])
    expect(asked).toHaveLength(2)
    await linkTo(page, 20).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trouble 20')
    expect(asked).toHaveLength(2)
  })

  test('a prefetch without an answer is aborted at the limit, without an error @full', async ({ page }) => {
    const requests = await holdPageData(page)
    await openStream(page)
    await waitUntilSettled(page)
    await linkTo(page, 15).hover()
    await expect.poll(() => requests.waiting().length).toBe(1)
    await expect.poll(() => requests.waiting().length, { timeout: 15_000 }).toBe(0)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Issues')
    await linkTo(page, 15).click()
    await expect.poll(() => requests.waiting().length).toBe(1)
    await requests.releaseAll()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trouble 15')
  })

  test('a pointer that only passes over a link loads nothing @full', async ({ page }) => {
    const requests = await holdPageData(page)
    await openStream(page)
    await waitUntilSettled(page)
    await page.evaluate(() => {
      const over = new Event('pointerover', { bubbles: true })
      for (const target of ['a.row-link', 'h1']) document.querySelector(target)?.dispatchEvent(over)
    })
    await expectThroughout(300, () => expect(requests.seen()).toEqual([]))
  })
})

for (const [what, connection] of [
  ['with Save-Data', { saveData: true, effectiveType: '4g' }],
  ['over 2G', { saveData: false, effectiveType: '2g' }],
  ['over less than 2G', { saveData: false, effectiveType: 'slow-2g' }],
] as const) {
  const title = `${what} only links that are hovered, focused or touched are prefetched`
  isolatedTest(title, { tag: connection.saveData ? [] : '@full' }, async ({ page }) => {
    await pretendConnection(page, connection)
    const requests = await holdPageData(page)
    await openStream(page)
    await waitUntilSettled(page)
    expect(requests.seen()).toEqual([])
    await linkTo(page, 25).hover()
    await expect.poll(() => requests.seen().length).toBe(1)
    await linkTo(page, 24).focus()
    await expect.poll(() => requests.seen().length).toBe(2)
    await linkTo(page, 23).dispatchEvent('touchstart')
    await expect.poll(() => requests.seen().length).toBe(3)
    for (const [index, number] of [25, 24, 23].entries()) {
      expect(requests.seen()[index]).toContain(await issueIdOf(page, number))
    }
    await requests.releaseAll()
  })
}

test.describe('in a low window', () => {
  test.use({ viewport: { width: 1280, height: 500 } })

  test('links up to 200 px outside of the window are prefetched, and no others', async ({ page }) => {
    const requests = await holdPageData(page)
    await requests.releaseAll()
    await openStream(page)
    const rows = await page.locator('a.row-link').evaluateAll((links) =>
      links.map((link) => ({
        id: link.getAttribute('href')?.split('/').at(-1) ?? '',
        top: link.getBoundingClientRect().top,
      })),
    )
    const askedFor = ({ id }: { id: string }) => requests.seen().some((url) => url.includes(id))
    const near = rows.filter(({ top }) => top < 690)
    expect(near.some(({ top }) => top > 500)).toBe(true)
    await expect.poll(() => near.every(askedFor)).toBe(true)
    await waitUntilSettled(page)
    expect(rows.filter(({ top }) => top > 710).filter(askedFor)).toEqual([])
  })

  test('a link that was scrolled out of view before its turn is not prefetched @full', async ({ page }) => {
    const requests = await holdPageData(page)
    await openStream(page)
    await fiveWait(requests)
    const before = requests.seen().length
    const nearTop = await Promise.all([55, 54].map((number) => issueIdOf(page, number)))
    const waitingForTurn = nearTop.filter((id) => !requests.seen().some((url) => url.includes(id)))
    expect(waitingForTurn).toHaveLength(2)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await untilOutOfView(linkTo(page, 54))
    await requests.releaseAll()
    await waitUntilSettled(page)
    const after = requests.seen().slice(before).join('\n')
    expect(after).not.toBe('')
    for (const id of waitingForTurn) expect(after).not.toContain(id)
  })
})

test.describe('while the server fails', () => {
  for (const [what, answer] of [
    ['answers 500', { status: 500 }],
    ['is behind a proxy that answers 502', { status: 502 }],
    ['asks to wait', { status: 429, headers: { 'retry-after': '2' } }],
  ] as const) {
    const title = `that ${what}, prefetching sends nothing twice, pauses, and resumes @full`
    test(title, async ({ page, problems }) => {
      problems.expect(new RegExp(`status of ${answer.status}|status ${answer.status}|Application error`))
      let isFailing = true
      const seen: string[] = []
      await page.route('**/_serverFn/**', async (route) => {
        seen.push(decodeURIComponent(route.request().url()))
        if (isFailing) await route.fulfill({ ...answer, contentType: 'text/plain', body: 'down' })
        else await route.continue()
      })
      await openStream(page)
      await expect.poll(() => seen.length).toBeGreaterThan(2)
      // Each failure before the pause frees a slot for another load; one more is tried after it.
      const {
        maxInFlight,
        pause: { failures },
      } = appConfig.prefetch
      const most = maxInFlight + (failures - 1) + 1
      await expectThroughout(2_700, () => expect(seen.length).toBeLessThanOrEqual(most))
      expect(new Set(seen).size).toBe(seen.length)
      isFailing = false
      await expect.poll(() => seen.length).toBeGreaterThan(40)
    })
  }
})
