import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { isShortRun } from '../../bin/checks/short-run.ts'
import { type Culvert, startCulvert } from './support/culvert.ts'
import { buildFaultApp, type FaultApp } from './support/fault-app.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { type LeakWatch, watchLeaks } from './support/leak-watch.ts'
import { expect, signIn, test } from './support/test.ts'

/** Part of the message of every error that is thrown here; no answer and no console may contain it. */
const word = `SECRET-${randomUUID()}`

let app: FaultApp
let culvert: Culvert
let leaks: LeakWatch

test.beforeAll(async () => {
  // Builds an application, besides starting a server.
  test.setTimeout(240_000)
  app = await buildFaultApp()
  culvert = await startCulvert({ folder: app.folder, variables: { FAULT_WORD: word } })
})
test.afterAll(async () => {
  await culvert.stop()
  await app.remove()
})
test.beforeEach(async ({ page, problems }) => {
  await signIn(page.context(), culvert)
  problems.expect(/status of 50[04]|Application error\. Digest: [0-9a-f]{12}$|^reported: /)
  await page.addInitScript((secret) => {
    window.faultWord = secret
  }, word)
  leaks = watchLeaks(page)
})

/** The build of `buildFaultApp`. */
const release = 'culvert@faults'

/** Checks the failure page, for leaks too, and returns its digest. */
async function expectFailurePage(page: Page, { sentence }: { sentence: RegExp }): Promise<string> {
  const alert = page.getByRole('alert')
  await expect(alert.getByRole('heading', { level: 1 })).toHaveText('Application error')
  await expect(alert).toContainText(sentence)
  await expect(alert.getByRole('heading', { level: 1 })).toBeFocused()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  expect(await page.title()).not.toBe('')
  const digest = (await alert.locator('code').last().textContent()) ?? ''
  expect(digest).toMatch(/^[0-9a-f]{12}$/)
  await expect(alert.getByRole('link', { name: 'View event' })).toHaveAttribute('href', `/digest/${digest}`)
  await expect(page.locator('footer')).toContainText(`Culvert ${release}`)
  expect(await leaks.findLeaks(word)).toEqual([])
  return digest
}

/** The digest leads to the event, which has the whole message: checked in the HTML: it is faster. */
async function expectEventOf(page: Page, digest: string, message: string | RegExp = word): Promise<void> {
  await expect(async () => {
    const answer = await page.request.get(`${culvert.origin}/digest/${digest}`)
    expect(new URL(answer.url()).pathname).toMatch(/^\/events\//)
    const [main = ''] = /<main[^]*<\/main>/.exec(await answer.text()) ?? []
    expect(main).toContain(digest)
    expect(main).toMatch(message)
    expect(main).toContain(release)
  }).toPass({ timeout: 20_000 })
}

async function goOnClient(page: Page, path: string): Promise<void> {
  await openSettled(page, `${culvert.origin}/fault/calm`)
  await page.evaluate((to) => {
    const router: unknown = Reflect.get(window, '__TSR_ROUTER__')
    const navigate: unknown = typeof router === 'object' && router !== null && Reflect.get(router, 'navigate')
    if (typeof navigate === 'function') Reflect.apply(navigate, router, [{ to }])
  }, path)
}

const onServer = /A server-side exception has occurred while loading this page\./
const onClient = /A client-side exception has occurred while loading this page\./
const tooLong = /This page took too long to load\./

const serverFaults = [
  { source: 'loader', status: 500, sentence: onServer },
  { source: 'loader-text', status: 500, sentence: onServer },
  { source: 'before-load', status: 500, sentence: onServer },
  { source: 'server-function', status: 500, sentence: onServer },
  { source: 'server-function-text', status: 500, sentence: onServer },
  { source: 'server-render', status: 500, sentence: onServer },
  { source: 'handler', status: 500, sentence: onServer },
  { source: 'middleware', status: 500, sentence: onServer },
  { source: 'loader-hangs', status: 504, sentence: tooLong, message: 'did not load within 3800 ms' },
  { source: 'server-render-hangs', status: 504, sentence: tooLong, message: 'did not load within 3800 ms' },
]

/** One of each way to the page: rendered by the router, and static; others differ only in what is thrown. */
const oneOfEachWay = new Set(['loader', 'server-function', 'server-render', 'handler', 'server-render-hangs'])

for (const javaScriptEnabled of [true, false]) {
  const hasAll = javaScriptEnabled && !isShortRun
  const faults = serverFaults.filter(({ source }) => hasAll || oneOfEachWay.has(source))
  test.describe(javaScriptEnabled ? 'on the server' : 'on the server, without JavaScript @full', () => {
    test.use({ javaScriptEnabled })

    test('each fault answers its status and the failure page, and nothing else of the error', async ({
      page,
    }) => {
      test.setTimeout(180_000)
      for (const { source, status, sentence, message } of faults) {
        await test.step(source, async () => {
          const digest = await openFault(page, { source, status, sentence })
          await expectEventOf(page, digest, message)
        })
      }
    })
  })
}

/** Opens the page of a fault, checks the answer and the failure page, and returns its digest. */
async function openFault(
  page: Page,
  { source, status, sentence }: Omit<(typeof serverFaults)[number], 'message'>,
): Promise<string> {
  const response = await page.goto(`${culvert.origin}/fault/${source}`)
  expect(response?.status()).toBe(status)
  if (status === 504) {
    // A busy machine answers later, and never before the time-out; without one, never.
    const answeredMs = response?.request().timing().responseStart
    expect(answeredMs).toBeGreaterThan(3_600)
    expect(answeredMs).toBeLessThan(20_000)
  }
  const headers = response?.headers() ?? {}
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['content-security-policy']).toMatch(/'nonce-[^']+'/)
  await page.waitForLoadState('networkidle')
  const digest = await expectFailurePage(page, { sentence })
  expect(await response?.text()).toContain(digest)
  return digest
}

test('a visitor without a session sees the digest without a link to the event', async ({ page }) => {
  await page.context().clearCookies()
  await page.goto(`${culvert.origin}/fault/handler`)
  await expect(page.getByRole('alert').locator('code')).toHaveText(/^[0-9a-f]{12}$/)
  await expect(page.getByRole('link', { name: 'View event' })).toHaveCount(0)
})

test.describe('a form that is posted without JavaScript and fails', () => {
  test.use({ javaScriptEnabled: false })

  test('shows the failure page, which links back to the same address', async ({ page }) => {
    const url = `${culvert.origin}/fault/calm?tab=1`
    await page.goto(url)
    const [response] = await Promise.all([
      page.waitForResponse('**/fault/handler'),
      page.getByRole('button', { name: 'Post a form' }).click(),
    ])
    expect(response.status()).toBe(500)
    const sentence = /A server-side exception has occurred while saving your change\./
    const digest = await expectFailurePage(page, { sentence })
    await page.getByRole('link', { name: 'Go back' }).click()
    await expect(page).toHaveURL(url)
    await expectEventOf(page, digest)
  })
})

test('a page that suspends while it is rendered is awaited and hydrated', async ({ page }) => {
  const response = await page.goto(`${culvert.origin}/fault/server-render-waits`)
  expect(response?.status()).toBe(200)
  expect(await response?.text()).toContain('<h1>Calm</h1>')
  const posted = page.waitForRequest('**/_serverFn/**')
  await waitUntilSettled(page)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await posted
})

test('a loader that throws undefined still shows the failure page', async ({ page }) => {
  const response = await page.goto(`${culvert.origin}/fault/loader-nothing`)
  expect(response?.status()).toBe(500)
  await expectFailurePage(page, { sentence: onServer })
})

test.describe('in the browser', () => {
  test('each fault shows the failure page after a navigation @full', async ({ page }) => {
    test.setTimeout(180_000)
    for (const { source, sentence } of [
      { source: 'loader', sentence: onClient },
      { source: 'loader-text', sentence: onClient },
      { source: 'before-load', sentence: onClient },
      { source: 'server-function', sentence: onServer },
      { source: 'server-function-text', sentence: onServer },
      { source: 'browser-render', sentence: onClient },
      { source: 'document', sentence: onClient },
    ]) {
      await test.step(source, async () => {
        await goOnClient(page, `/fault/${source}`)
        await expectEventOf(page, await expectFailurePage(page, { sentence }))
      })
    }
  })

  test('a screen or the document itself fails right after the page was loaded', async ({ page }) => {
    for (const source of ['browser-render', 'document']) {
      await page.goto(`${culvert.origin}/fault/${source}`)
      await expectEventOf(page, await expectFailurePage(page, { sentence: onClient }))
    }
  })

  test('a page that fails again in the same way has a new event @full', async ({ page }) => {
    await goOnClient(page, '/fault/browser-render')
    const digest = await expectFailurePage(page, { sentence: onClient })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('alert').locator('code').last()).not.toHaveText(digest)
    await expectEventOf(page, await expectFailurePage(page, { sentence: onClient }))
  })

  test('hydration fails before the page is interactive', async ({ page, problems }) => {
    problems.expect(/^uncaught: Cannot read properties of null/)
    await page.route('**/fault/calm', async (route) => {
      const response = await route.fetch()
      const html = (await response.text()).replace(/\$_TSR\.router=/, `$_TSR.router=null&&`)
      await route.fulfill({ response, body: html })
    })
    const reported = page.waitForResponse('**/monitoring**')
    await page.goto(`${culvert.origin}/fault/calm`)
    const digest = await expectFailurePage(page, { sentence: onClient })
    await reported
    await expectEventOf(page, digest, /Cannot read properties of null/)
  })

  test("a listener of the router's events fails @full", async ({ page }) => {
    await goOnClient(page, '/fault/router-event')
    await expect(page.getByRole('heading', { name: 'Calm' })).toBeVisible()
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Projects' }).click()
    await expectEventOf(page, await expectFailurePage(page, { sentence: onClient }))
  })

  test('a chunk fails during its execution @full', async ({ page }) => {
    await page.route('**/assets/projects-*.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `throw new Error(${JSON.stringify(word)}); export const component = 1`,
      }),
    )
    const body = leaks
    await goOnClient(page, '/projects')
    leaks = {
      findLeaks: async (text) =>
        (await body.findLeaks(text)).filter((place) => !/projects-.*\.js/.test(place)),
    }
    await expectEventOf(page, await expectFailurePage(page, { sentence: onClient }))
  })

  test('a missing chunk reloads the page once, then shows the failure page @full', async ({
    page,
    problems,
  }) => {
    problems.expect(/status of 404/)
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.url().endsWith('/projects')) documents += 1
    })
    await page.route('**/assets/projects-*.js', (route) => route.fulfill({ status: 404, body: 'gone' }))
    await goOnClient(page, '/projects')
    const digest = await expectFailurePage(page, { sentence: onClient })
    expect(documents).toBe(1)
    await expectEventOf(page, digest, /dynamically imported module/)
  })

  test('a load that never ends @full', async ({ page }) => {
    await goOnClient(page, '/fault/loader-hangs')
    await expectEventOf(
      page,
      await expectFailurePage(page, { sentence: tooLong }),
      'did not load within 3800 ms',
    )
  })

  test('a head that fails does not affect the page and its errors', async ({ page }) => {
    await page.goto(`${culvert.origin}/fault/head`)
    await expect(page.getByRole('heading', { name: 'Calm' })).toBeVisible()
    expect(await leaks.findLeaks(word)).toEqual([])
  })
})

/** The log lines of errors that contain `digest`. */
function logLines(digest: string): unknown[] {
  return culvert
    .printed()
    .split('\n')
    .filter((line) => line.includes(digest))
    .map((line): unknown => JSON.parse(line))
}

test.describe('a client that does not accept HTML', () => {
  test('gets the digest of a failed handler as JSON', async ({ request }) => {
    const response = await request.post(`${culvert.origin}/fault/handler`, {
      headers: { accept: 'application/json' },
    })
    const answer: unknown = await response.json()
    expect([response.status(), answer]).toEqual([
      500,
      { detail: 'Application error', digest: expect.stringMatching(/^[0-9a-f]{12}$/) },
    ])
    expect(response.headers()['cache-control']).toBe('no-store')
  })

  test('gets 500 and the digest of a server function, and the log gets one line', async ({ page }) => {
    const answered = page.waitForResponse('**/_serverFn/**')
    await goOnClient(page, '/fault/server-function')
    const response = await answered
    expect(response.status()).toBe(500)
    const digest = await expectFailurePage(page, { sentence: onServer })
    await expect
      .poll(() => logLines(digest))
      .toEqual([
        expect.objectContaining({
          digest,
          err: expect.objectContaining({ message: expect.stringContaining(word) }),
        }),
      ])
  })
})
