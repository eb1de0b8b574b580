import * as v from 'valibot'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent } from './support/events.ts'
import { openSettled, waitUntilSettled } from './support/hydration.ts'
import { expectAccessible } from './support/layout-checks.ts'
import { expect, test, serveCulvert } from './support/test.ts'

let shop: Project
const culvert = serveCulvert(async (started) => {
  shop = await started.createProject('Shop')
})

test('noise in Culvert’s own page is only counted as discarded by the client @full', async ({
  page,
  problems,
}) => {
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

test("an error in Culvert's own page arrives in its project", async ({ page, problems }) => {
  problems.expect(/own client error/)
  await openSettled(page, `${culvert().origin}/issues`)
  const tunnelled = page.waitForResponse((response) => new URL(response.url()).pathname === '/monitoring')
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('own client error')
    })
  })
  expect((await tunnelled).status()).toBe(200)

  await page.goto(`${culvert().origin}/issues?project=culvert`)
  const row = page.getByRole('row').filter({ hasText: 'own client error' })
  await expect(row).toHaveCount(1)
  await row.getByRole('link').click()
  await expect(page.getByRole('region', { name: 'Exception' })).toContainText('unhandled')
  await expect(page.getByRole('region', { name: 'Issue tags' })).toContainText('release')
})

test('an error in the page of a secret link does not contain its token @full', async ({ page, problems }) => {
  problems.expect(/linked client error/)
  const token = 'k'.repeat(32)
  // Its issue would be in the lists of the other tests.
  await page.route('**/monitoring?*', (route) => route.fulfill({ status: 200 }))
  await openSettled(page, `${culvert().origin}/password/${token}`)
  const sent = page.waitForRequest((request) => request.postData()?.includes('linked client error') === true)
  await page.evaluate(() => {
    history.pushState({}, '', `/login?to=${encodeURIComponent(location.pathname)}`)
    setTimeout(() => {
      throw new Error('linked client error')
    })
  })
  const event = (await sent).postData()
  expect(event).toContain('/password/[Filtered]')
  expect(event).not.toContain(token)
})

test("Culvert's errors are not in the list of all projects, which links to them @full", async ({ page }) => {
  await page.goto(`${culvert().origin}/issues`)
  await expect(page.getByRole('heading', { name: 'No events yet' })).toBeVisible()
  await expect(page.getByText('Culvert’s own project has 1 unresolved issue.')).toBeVisible()
  await expectAccessible(page)

  await sendEvent(shop, fullEvent('Trouble of a shop'))
  await page.reload()
  const rows = page.locator('.issue-table tbody tr')
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('link', { name: /^Unresolved ?1$/ })).toBeVisible()
  await expect(page.getByLabel('Project').locator('option', { hasText: 'Culvert (1)' })).toHaveCount(1)
  await expectAccessible(page)
  await page
    .getByText('Culvert’s own project has 1 unresolved issue.')
    .getByRole('link', { name: 'Show' })
    .click()
  await expect(page).toHaveURL(/project=culvert/)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('own client error')
})

test('an error that happens while the SDK is still loading is not lost', async ({ page, problems }) => {
  problems.expect(/early client error/)
  const isThrown = Promise.withResolvers<void>()
  await page.route('**/assets/client-sdk-*.js', async (route) => {
    await isThrown.promise
    await route.continue()
  })
  const sdk = page.waitForRequest('**/assets/client-sdk-*.js')
  await page.goto(`${culvert().origin}/digest`)
  await sdk
  const tunnelled = page.waitForResponse(
    (response) => response.request().postData()?.includes('early client error') === true,
  )
  const thrown = page.waitForEvent('pageerror')
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('early client error')
    })
  })
  await thrown
  isThrown.resolve()
  expect((await tunnelled).status()).toBe(200)
})

test('an error in a page loaded offline is sent when the network is back @full', async ({
  page,
  problems,
}) => {
  problems.expect(/offline client error|client-sdk/)
  await page.route('**/assets/client-sdk-*.js', (route) => route.abort('internetdisconnected'), { times: 1 })
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('client-sdk'))
  await page.goto(`${culvert().origin}/digest`)
  await failed
  const thrown = page.waitForEvent('pageerror')
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('offline client error')
    })
  })
  expect((await thrown).message).toBe('offline client error')
  const tunnelled = page.waitForResponse(
    (response) => response.request().postData()?.includes('offline client error') === true,
  )
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  expect((await tunnelled).status()).toBe(200)
})

test('redirects, not-founds and cancelled navigations create no issue @full', async ({ page, problems }) => {
  problems.expect(/status of 404/)
  const { origin } = culvert()
  await page.goto(`${origin}/`)
  await expect(page).toHaveURL(/\/issues$/)
  await page.goto(`${origin}/digest?q=${'f'.repeat(12)}`)
  await expect(page).toHaveURL(/\/digest\/f+$/)
  for (const path of ['/nowhere', '/issues/1', `/events/${'f'.repeat(32)}`]) {
    expect((await page.goto(origin + path))?.status()).toBe(404)
  }
  await page.goto(`${origin}/issues`)
  const isLeft = Promise.withResolvers<void>()
  await page.route('**/_serverFn/**', async (route) => {
    await isLeft.promise
    await route.continue().catch(() => undefined)
  })
  const screens = page.getByRole('navigation', { name: 'Screens' })
  await screens.getByRole('link', { name: 'Projects' }).dispatchEvent('click')
  await screens.getByRole('link', { name: 'Ingestion' }).dispatchEvent('click')
  await screens.getByRole('link', { name: 'Find event' }).click()
  isLeft.resolve()
  await expect(page).toHaveURL(/\/digest$/)
  await page.unroute('**/_serverFn/**')

  await page.goto(`${origin}/issues?project=culvert&status=all`)
  const titles = await page.locator('.row-link').allTextContents()
  const lines = await page.locator('.issue-subtitle').allTextContents()
  expect([...titles, ...lines].filter((text) => !/client error|^Error$/.test(text))).toEqual([])
})

test('the release is the same on the screen, at /healthz and in the events @full', async ({
  page,
  request,
}) => {
  const { origin } = culvert()
  const answer: unknown = await (await request.get(`${origin}/healthz`)).json()
  const health = v.parse(v.object({ release: v.string(), environment: v.string() }), answer)
  await page.goto(`${origin}/issues?project=culvert`)
  await expect(page.locator('.site-footer')).toContainText(`Culvert ${health.release}`)
  await page.getByRole('row').filter({ hasText: 'own client error' }).getByRole('link').click()
  await expect(page.getByRole('region', { name: 'Issue tags' })).toContainText(health.release)
  expect(health.environment).toBe('production')
})

/** Makes every write of the status "resolved" fail in SQLite. */
function breakResolving(): void {
  culvert()
    .execute(`CREATE TRIGGER broken_status BEFORE UPDATE OF status ON issues WHEN new.status = 'resolved'
    BEGIN SELECT raise(ABORT, 'no room for opinions'); END`)
}

test('a failed change shows a digest that finds the error', async ({ page, problems }) => {
  problems.expect(/status of 500/)
  const eventId = await sendEvent(shop, { message: 'Unresolvable' })
  await page.goto(`${culvert().origin}/events/${eventId}`)
  await expect(page.locator('.issue-header')).toBeVisible()
  await waitUntilSettled(page)
  breakResolving()
  await page.getByRole('button', { name: 'Resolve', exact: true }).click()
  const alert = page.locator('.notice').getByRole('alert')
  await expect(alert).toContainText('Couldn’t change the status. A server-side exception has occurred.')
  await expect(page.locator('.issue-header .badge').first()).toHaveText('unresolved')
  expect(await page.content()).not.toContain('opinions')
  const digest = /Digest: ([0-9a-f]{12})/.exec((await alert.textContent()) ?? '')?.[1]
  // The event is committed after the answer.
  await expect(async () => {
    await page.goto(`${culvert().origin}/digest/${digest}`)
    expect(page.url()).toContain(`/events/${digest}`)
  }).toPass({ timeout: 20_000 })
  await expect(page.getByRole('region', { name: 'Exception' })).toContainText('no room for opinions')
})
