import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findSystemChromium } from '../bin/chromium.ts'

/**
 * Takes the screenshots of the documentation from a running server with the demo's data: `node
 * demo/screenshots.ts ORIGIN EMAIL PASSWORD [SETUP_ADDRESS]`. Writes docs/screenshots/*.png.
 *
 * With `node demo/upstreams.ts` started before the demo, the pictures of the tunnel and of dead letters are
 * not empty.
 *
 * The last argument is the address that an empty installation prints when it starts; without it the picture
 * of that page is not updated. Taking the pictures creates one invitation and no other lasting data.
 */

const folder = join(import.meta.dirname, '../docs/screenshots')
const desktop = { width: 1440, height: 900 }
const phone = { width: 360, height: 740 }

/** Maximum size of a screenshot in the repository. */
const pictureBytes = 250_000

/** The issue that the pictures show: it has a cause, source lines, breadcrumbs and a request. */
const shownIssue = 'PaymentDeclinedError'

/** An issue of the storefront: all events of one visit have the same trace id. */
const tracedIssue = 'CheckoutError'

/** A release that crashes more than others do. */
const shownRelease = 'api@2.4.0'

/** A transaction with an N+1 query. */
const shownTransaction = 'GET /account/orders'

/** The project whose settings the pictures show. */
const shownProject = 'shop-api'

type OpenScreen = (page: Page, origin: string) => Promise<unknown>

const at =
  (path: string): OpenScreen =>
  (page, origin) =>
    page.goto(origin + path)

/** The page for creating the first account, of an empty installation. */
const setupAddress = process.argv[5]

const screens: Record<string, OpenScreen> = {
  issues: at('/issues?sort=events'),
  'issues-empty': at('/issues?q=level%3Afatal+browser.name%3ALynx'),
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
  shortcuts: async (page, origin) => {
    await page.goto(`${origin}/projects`, { waitUntil: 'networkidle' })
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog').waitFor()
  },
  issue: (page, origin) => openIssue(page, origin, shownIssue),
  'issue-archive': async (page, origin) => {
    await openIssue(page, origin, shownIssue)
    await page.locator('summary[aria-label="Archive options"]').click()
  },
  'issue-events': (page, origin) => openPartOfIssue(page, origin, 'events'),
  'issue-tags': (page, origin) => openPartOfIssue(page, origin, 'tags'),
  event: async (page, origin) => {
    await openIssue(page, origin, shownIssue)
    await page.locator('.event-id a').click()
    await page.waitForURL(/\/events\//)
  },
  digest: async (page, origin) => {
    await openIssue(page, origin, tracedIssue)
    const contexts = await page.locator('#contexts').textContent()
    const traceId = /trace_id\W*([0-9a-f]{32})/.exec(contexts ?? '')?.[1]
    await page.goto(`${origin}/digest/${traceId}`)
  },
  releases: at('/releases'),
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
  lookup: at('/digest'),
  projects: at('/projects'),
  'projects-new': at('/projects/new'),
  'project-setup': at(`/projects/${shownProject}/setup`),
  project: at(`/projects/${shownProject}`),
  'project-keys': at(`/projects/${shownProject}/keys`),
  'project-grouping': at(`/projects/${shownProject}/grouping`),
  'project-inbound': at(`/projects/${shownProject}/inbound`),
  'project-alerts': at(`/projects/${shownProject}/alerts`),
  'project-limits': at(`/projects/${shownProject}/limits`),
  'project-source-maps': at(`/projects/${shownProject}/source-maps`),
  'project-scrubbing': at(`/projects/${shownProject}/scrubbing`),
  'project-members': at(`/projects/${shownProject}/members`),
  'project-danger': at(`/projects/${shownProject}/danger`),
  'project-upstreams': at(`/projects/${shownProject}/upstreams`),
  outcomes: at('/outcomes'),
  'dead-letters': at('/outcomes/dead-letters'),
  tunnel: at('/tunnel'),
  login: async (page, origin) => {
    await page.context().clearCookies()
    await page.goto(`${origin}/login`)
  },
  ...(setupAddress !== undefined && { setup: (page: Page) => page.goto(setupAddress) }),
  invite: async (page, origin) => {
    await page.goto(`${origin}/settings/members`, { waitUntil: 'networkidle' })
    await page.getByLabel('Email').first().fill('grace@example.com')
    await page.getByRole('button', { name: 'Create invite link' }).click()
    const link = await page.locator('.invite-link').textContent()
    await page.context().clearCookies()
    await page.goto(link ?? '')
  },
  account: at('/settings'),
  'two-factor': async (page, origin) => {
    await page.goto(`${origin}/settings`, { waitUntil: 'networkidle' })
    const panel = page.locator('#two-factor')
    await panel.getByLabel('Password').fill(process.argv[4] ?? '')
    await panel.getByRole('button', { name: 'Set up' }).click()
    await page.locator('.qr-code').waitFor()
    await page.locator('#two-factor').scrollIntoViewIfNeeded()
  },
  members: at('/settings/members'),
  system: at('/settings/system'),
  tokens: at('/settings/tokens'),
  'not-found': at('/nowhere'),
  failure: async (page, origin) => {
    // The answer of a proxy whose server is not running.
    await page.route('**/_serverFn/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.goto(`${origin}/digest`, { waitUntil: 'networkidle' })
    await page.getByRole('link', { name: 'Projects' }).click()
    await page.getByRole('alert').waitFor()
  },
}

async function openTransaction(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/performance`)
  await page.getByRole('link', { name: shownTransaction }).click()
  await page.getByRole('heading', { level: 1, name: shownTransaction }).waitFor()
}

async function openPartOfIssue(page: Page, origin: string, part: string): Promise<void> {
  await openIssue(page, origin, shownIssue)
  await page.goto(`${new URL(page.url()).origin}${new URL(page.url()).pathname}/${part}`)
}

async function openIssue(page: Page, origin: string, title: string): Promise<void> {
  await page.goto(`${origin}/issues?sort=events`)
  await page.getByRole('link', { name: title }).first().click()
  // The address changes before the page does.
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await waitForAll(page)
}

/** Waits for content that a page renders in the browser after its first paint (`ui/later.tsx`). */
async function waitForAll(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.later') === null)
}

/** Long enough for a busy machine. */
const waitMs = 120_000

async function main([origin = '', email = '', password = '']: string[]): Promise<number> {
  const executablePath = findSystemChromium(process.env)
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
  mkdirSync(folder, { recursive: true })
  const session = await signIn(browser, { origin, email, password })
  const tooLarge: string[] = []
  for (const name of Object.keys(screens)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const pictures = [{ file: `${name}-${colorScheme}.png`, viewport: desktop }]
      if (name === 'issues' || name === 'issue') {
        pictures.push({ file: `${name}-phone-${colorScheme}.png`, viewport: phone })
      }
      for (const { file, viewport } of pictures) {
        const bytes = await takePicture(browser, {
          name,
          origin,
          file,
          options: { viewport, colorScheme, storageState: session },
        })
        console.log(`docs/screenshots/${file}: ${Math.round(bytes / 1000)} kB`)
        if (bytes > pictureBytes) tooLarge.push(file)
      }
    }
  }
  await browser.close()
  if (tooLarge.length === 0) return 0
  console.error(`Larger than ${pictureBytes / 1000} kB: ${tooLarge.join(', ')}`)
  return 1
}

interface Picture {
  name: string
  origin: string
  file: string
  options: NonNullable<Parameters<Browser['newContext']>[0]>
}

/** The cookies of a user who has signed in with the form. */
async function signIn(
  browser: Browser,
  { origin, email, password }: { origin: string; email: string; password: string },
) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/issues/)
  const session = await context.storageState()
  await context.close()
  return session
}

/** Takes one screenshot. Returns its bytes. */
async function takePicture(browser: Browser, { name, origin, file, options }: Picture): Promise<number> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(waitMs)
  await screens[name]?.(page, origin)
  await page.waitForLoadState('networkidle')
  await waitForAll(page)
  const path = join(folder, file)
  await page.screenshot({ path })
  await context.close()
  return statSync(path).size
}

process.exitCode = await main(process.argv.slice(2))
