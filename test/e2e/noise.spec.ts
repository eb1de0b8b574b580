import type { Page } from '@playwright/test'
import type { Project } from './support/culvert.ts'
import { type NoiseApp, startNoiseApp } from './support/noise-app.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let start: Project
let app: NoiseApp

const culvert = shareCulvert(async (started) => {
  // Builds an application, besides starting a server.
  test.setTimeout(240_000)
  start = await started.createProject('On Start')
  app = await startNoiseApp(start.dsn)
})

test.afterAll(() => app.stop())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Opens the application, at an address that no button leads to, and waits until its buttons work. */
async function openApp(page: Page): Promise<void> {
  await page.goto(`${app.origin}/?opened`)
  await page.locator('[data-hydrated]').waitFor()
}

/** Waits until the SDK in the page has sent something that contains the text, and Culvert has accepted it. */
async function waitForReport(page: Page, text: string): Promise<void> {
  const response = await page.waitForResponse(
    (answer) => answer.url().includes('/envelope/') && answer.request().postData()?.includes(text) === true,
  )
  expect(response.status()).toBe(200)
}

/** The filtered items of a project, by reason and category, as the page of outcomes shows them. */
async function readFiltered(page: Page, project: Project): Promise<Record<string, number>> {
  await page.goto(`${culvert().origin}/outcomes?project=${project.slug}`)
  const rows = page
    .locator('.outcome-table tbody', { has: page.locator('[data-outcome="filtered"]') })
    .locator('tr:not(.outcome-group)')
  const texts = await rows.evaluateAll((found) =>
    found.map((row) => {
      const [reason, category] = [...row.querySelectorAll('code')].map((code) => code.textContent)
      return [`${reason} ${category}`, Number(row.querySelector('data')?.value)] as const
    }),
  )
  return Object.fromEntries(texts)
}

async function expectOnlyIssue(page: Page, project: Project, title: string): Promise<void> {
  await page.goto(`${culvert().origin}/issues?project=${project.slug}&status=all`)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('row').last()).toContainText(title)
}

/** Each of them on the server (a document request) and in the browser (navigation from another page). */
const noisyPaths = ['/redirecting', '/redirecting-on-the-server', '/missing', '/missing-on-the-server']

test('redirects, not-founds and aborted loads on Start are only counted @full', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 404|The basket is a real problem|ResizeObserver loop/)
  for (const path of noisyPaths) {
    const isMissing = path.startsWith('/missing')
    await page.goto(app.origin + path)
    await expect(page.getByRole('heading')).toHaveText(isMissing ? 'Nothing here' : '/')
    await openApp(page)
    await press(page, path)
    await expect(page).toHaveURL(app.origin + (isMissing ? path : '/'))
    await expect(page.getByRole('heading')).toHaveText(isMissing ? 'Nothing here' : '/')
  }
  await Promise.all([waitForReport(page, '"transaction":"/nowhere"'), page.goto(`${app.origin}/nowhere`)])

  // Aborted for another page, then wait until the SDK times out.
  await openApp(page)
  await press(page, '/slow')
  await press(page, '/missing')
  await expect(page.getByRole('heading')).toHaveText('Nothing here')
  await Promise.all([waitForReport(page, '"transaction":"/slow"'), press(page, '/slow')])

  await Promise.all([waitForReport(page, 'ResizeObserver loop'), press(page, 'Observe')])
  await Promise.all([waitForReport(page, 'The basket is a real problem'), press(page, 'Break')])

  await expect(async () => {
    expect(await readFiltered(page, start)).toEqual({
      'redirect-error error': 4,
      'not-found-transaction transaction': 3,
      // The browser and the SDK may report these any number of times.
      'ignored-error error': expect.any(Number),
      'incomplete-transaction transaction': expect.any(Number),
    })
  }).toPass({ timeout: 20_000 })
  await expect(page.locator('#samples')).toContainText('/nowhere')
  await expect(page.locator('#samples')).toContainText('/slow')
  await expectOnlyIssue(page, start, 'The basket is a real problem')
})

/** Each has a work-around in `src/framework`. If one fails here, its work-around can be removed. */
test('TanStack Start alone answers mistakes and errors with the wrong status @full', async ({ page }) => {
  await page.goto(app.origin)
  const failing = await page.locator('body').getAttribute('data-failing')
  const statusOf = async (path: string, init?: RequestInit) => (await fetch(app.origin + path, init)).status
  const headers = { 'x-tsr-serverfn': 'true' }
  expect({
    'a server function that throws': await statusOf(failing ?? '', { headers }),
    'an unknown server function': await statusOf(`/_serverFn/${'0'.repeat(16)}`, { headers }),
    'an unreadable payload': await statusOf(`${failing}?payload=%7B`, { headers }),
    'a method that no page has': await statusOf('/', { method: 'DELETE' }),
  }).toEqual({
    'a server function that throws': 200,
    'an unknown server function': 500,
    'an unreadable payload': 500,
    'a method that no page has': 200,
  })
})
