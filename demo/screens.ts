import type { Page } from '@playwright/test'

/** The issue that the pictures show: it has a cause, source lines, breadcrumbs and a request. */
const shownIssue = 'PaymentDeclinedError'

/** A release that crashes more than others do. */
const shownRelease = 'api@2.4.0'

/** A transaction with an N+1 query. */
const shownTransaction = 'GET /account/orders'

/** The project whose settings the pictures show. */
const shownProject = 'shop-api'

/** Opens a screen in a signed-in browser. */
type OpenScreen = (page: Page, origin: string) => Promise<unknown>

const at =
  (path: string): OpenScreen =>
  (page, origin) =>
    page.goto(origin + path)

/** The screens of the pictures: `issues` is in `issues-light.png`, and in `issues-dark.png`. */
export const screens: Record<string, OpenScreen> = {
  issues: at('/issues?sort=events'),
  'issues-search': async (page, origin) => {
    await page.goto(`${origin}/issues`, { waitUntil: 'networkidle' })
    await page.getByRole('combobox').first().pressSequentially('is:unresolved browser.name:')
    await page.locator('.search-suggestions [role="option"]').first().waitFor()
  },
  'issues-selected': async (page, origin) => {
    await page.goto(`${origin}/issues?sort=events`)
    for (const row of [1, 2, 4]) await page.locator('tbody input[type="checkbox"]').nth(row).check()
  },
  palette: async (page, origin) => {
    await page.goto(`${origin}/projects`, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('error')
    await page.getByRole('option', { name: shownIssue }).waitFor()
  },
  issue: (page, origin) => openIssue(page, origin, shownIssue),
  release: async (page, origin) => {
    await page.goto(`${origin}/releases`)
    await page.getByRole('link', { name: shownRelease }).first().click()
    await page.waitForURL(/\/releases\/./)
    await page.goto(`${page.url()}&period=24h`)
  },
  performance: at('/performance'),
  transaction: (page, origin) => openTransaction(page, origin),
  trace: async (page, origin) => {
    await openTransaction(page, origin)
    await page.locator('a[href^="/traces/"]').first().click()
    await page.getByRole('heading', { level: 1, name: 'Trace' }).waitFor()
  },
  monitors: at('/monitors'),
  inbox: at('/inbox'),
  alerts: at('/alerts'),
  'project-setup': at(`/projects/${shownProject}/setup`),
  'project-alerts': at(`/projects/${shownProject}/alerts`),
  outcomes: at('/outcomes'),
  tunnel: at('/tunnel'),
}

async function openTransaction(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/performance`)
  await page.getByRole('link', { name: shownTransaction }).click()
  await page.getByRole('heading', { level: 1, name: shownTransaction }).waitFor()
}

async function openIssue(page: Page, origin: string, title: string): Promise<void> {
  await page.goto(`${origin}/issues?sort=events`)
  await page.getByRole('link', { name: title }).first().click()
  // The address changes before the page does.
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await waitForAll(page)
}

/** Waits for content that a page renders in the browser after its first paint (`ui/later.tsx`). */
export async function waitForAll(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.later') === null)
}
