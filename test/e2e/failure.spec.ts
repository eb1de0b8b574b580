import type { Page } from '@playwright/test'
import { openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, serveCulvert } from './support/test.ts'

const culvert = serveCulvert()

/** SQLite's message for the missing column; no page may show it. */
const message = /no such column: p\.created_at/

/** Renames a column that only the project list reads: every other screen and ingest still work. */
function renameColumn(from: string, to: string): void {
  culvert().execute(`alter table projects rename column ${from} to ${to}`)
}

test.beforeEach(() => renameColumn('created_at', 'created_at_hidden'))
test.afterEach(() => renameColumn('created_at_hidden', 'created_at'))

async function readDigest(page: Page): Promise<string> {
  const digest = await page.getByRole('alert').locator('code').textContent()
  expect(digest).toMatch(/^[0-9a-f]{12}$/)
  return digest ?? ''
}

async function expectEventOf(page: Page, digest: string): Promise<void> {
  // The server stores its own event after its answer.
  await expect(async () => {
    await page.goto(`${culvert().origin}/digest/${digest}`)
    await expect(page.locator('.event-id')).toContainText(digest, { timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
  await expect(page.getByRole('region', { name: 'Exception' })).toContainText(message)
}

test('a screen that fails on the server is a 500 with a digest of the event', async ({ page, problems }) => {
  problems.expect(/status of 500/)
  const response = await page.goto(`${culvert().origin}/projects`)
  expect(response?.status()).toBe(500)
  expect(await response?.text()).not.toMatch(message)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Application error')
  await expect(page.getByRole('alert')).toContainText(
    'A server-side exception has occurred while loading this page.',
  )
  expect(await page.content()).not.toMatch(message)
  await expectEventOf(page, await readDigest(page))
})

test('a failed client navigation shows the same page, with a digest', async ({ page, problems }) => {
  problems.expect(/status of 500/)
  const answers: string[] = []
  page.on('response', (response) => {
    if (!response.url().includes('/_serverFn/') || response.status() !== 500) return
    // The body of an aborted load is not available; the others are read.
    void response.text().then(
      (text) => answers.push(text),
      () => undefined,
    )
  })
  await openSettled(page, `${culvert().origin}/digest`)
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Projects' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Application error')
  await expect(page.getByRole('alert')).toContainText('A server-side exception has occurred')
  await expect.poll(() => answers.length).toBeGreaterThan(0)
  expect(answers.join('\n')).not.toMatch(message)
  await expectEventOf(page, await readDigest(page))
})

test('"Try again" shows the screen once it works', async ({ page, problems }) => {
  problems.expect(/status of 500/)
  await page.goto(`${culvert().origin}/projects`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Application error')
  renameColumn('created_at_hidden', 'created_at')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
  renameColumn('created_at', 'created_at_hidden')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the failure page has the same text and working links', async ({ page, problems }) => {
    problems.expect(/status of 500/)
    const response = await page.goto(`${culvert().origin}/projects`)
    expect(response?.status()).toBe(500)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Application error')
    await readDigest(page)
    await page.getByRole('link', { name: 'Go to the issues' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Issues')
  })
})
