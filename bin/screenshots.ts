import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findSystemChromium } from './chromium.ts'

/**
 * Takes the pictures of the documentation from a running server that holds the demo's data:
 * `node bin/screenshots.ts ORIGIN EMAIL PASSWORD`. Writes docs/screenshots/*.png.
 */

const folder = join(import.meta.dirname, '../docs/screenshots')
const desktop = { width: 1440, height: 900 }
const phone = { width: 360, height: 740 }

/** What a picture in a repository may weigh. */
const pictureBytes = 200_000

/** The issue that the pictures show: it has a cause, source lines, breadcrumbs and a request. */
const shownIssue = 'PaymentDeclinedError'

/** An issue of the storefront: everything that one visit met has one trace id. */
const tracedIssue = 'CheckoutError'

const screens: Record<string, (page: Page, origin: string) => Promise<unknown>> = {
  issues: (page, origin) => page.goto(`${origin}/issues?sort=events`),
  issue: (page, origin) => openIssue(page, origin, shownIssue),
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
  projects: (page, origin) => page.goto(`${origin}/projects`),
  outcomes: (page, origin) => page.goto(`${origin}/outcomes`),
  login: async (page, origin) => {
    await page.context().clearCookies()
    await page.goto(`${origin}/login`)
  },
  account: (page, origin) => page.goto(`${origin}/settings`),
  members: (page, origin) => page.goto(`${origin}/settings/members`),
  'not-found': (page, origin) => page.goto(`${origin}/nowhere`),
  failure: async (page, origin) => {
    // What a proxy answers when the server behind it is away.
    await page.route('**/_serverFn/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.goto(`${origin}/digest`, { waitUntil: 'networkidle' })
    await page.getByRole('link', { name: 'Projects' }).click()
    await page.getByRole('alert').waitFor()
  },
}

async function openIssue(page: Page, origin: string, title: string): Promise<void> {
  await page.goto(`${origin}/issues?sort=events`)
  await page.getByRole('link', { name: title }).first().click()
  await page.waitForURL(/\/issues\/./)
}

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

/** The cookies of somebody who has signed in with the form. */
async function signIn(
  browser: Browser,
  { origin, email, password }: { origin: string; email: string; password: string },
) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/issues/)
  const session = await context.storageState()
  await context.close()
  return session
}

/** Takes one picture and answers with its bytes. */
async function takePicture(browser: Browser, { name, origin, file, options }: Picture): Promise<number> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await screens[name]?.(page, origin)
  await page.waitForLoadState('networkidle')
  const path = join(folder, file)
  await page.screenshot({ path })
  await context.close()
  return statSync(path).size
}

process.exitCode = await main(process.argv.slice(2))
