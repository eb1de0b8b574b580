import { type Browser, chromium, type Page } from '@playwright/test'
import { findSystemChromium } from '../bin/chromium.ts'
import type { Deployment } from './deployments.ts'
import { createRandom } from './random.ts'
import { planSessions } from './sessions.ts'
import { storefrontMishaps } from './shop/storefront/mishaps.ts'
import type { StorefrontVisit } from './shop/storefront/page.ts'
import { productAddress, type Storefront } from './storefront.ts'
import { planVisits } from './visits.ts'

const userAgents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
]

/** Time limit for opening the storefront. Playwright's default of half a minute can be too short. */
const pageTimeoutMs = 5 * 60_000

/** Starts a headless Chromium that resolves the shop's host names; undefined without Chromium. */
export async function launchChromium({ port }: Storefront): Promise<Browser | undefined> {
  const executablePath = findSystemChromium(process.env)
  try {
    return await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Port 1 (tcpmux) simulates the service that is down: no server listens there.
        `--host-resolver-rules=MAP www.shop.example:80 127.0.0.1:${port}, MAP recommendations.shop.example:80 127.0.0.1:1`,
      ],
    })
  } catch {
    return undefined
  }
}

/**
 * Runs the storefront's deployments in order: opens each in four browsers and clicks the failing buttons.
 * Returns the number of accepted events.
 */
export async function shop(browser: Browser, deployments: readonly Deployment[]): Promise<number> {
  const pages = await Promise.all(
    userAgents.map(async (userAgent) => {
      const page = await (await browser.newContext({ userAgent })).newPage()
      page.setDefaultTimeout(pageTimeoutMs)
      return page
    }),
  )
  const counters = pages.map(watchSent)
  for (const deployment of deployments) {
    const shares = shareVisits(deployment, pages.length)
    for (const [index, page] of pages.entries()) {
      // One after another: in parallel they take longer, because they share the browser's network process.
      await page.goto(productAddress(deployment))
      await page.evaluate((visits) => window.visit(visits), shares[index] ?? [])
    }
    const random = createRandom(deployment.hours.fromHoursAgo * 11)
    const sessions = planSessions(deployment, { now: Date.now(), random })
    await pages[0]?.evaluate((items) => window.tellSessions(items), sessions)
  }
  return counters.reduce((sum, countSent) => sum + countSent(), 0)
}

/** Distributes the visits of one deployment at random. */
function shareVisits(deployment: Deployment, count: number): StorefrontVisit[][] {
  const random = createRandom(deployment.hours.fromHoursAgo * 7)
  const visits = planVisits({ ...deployment, mishaps: storefrontMishaps, now: Date.now(), random })
  const shares: StorefrontVisit[][] = Array.from({ length: count }, () => [])
  for (const { mishap, customer, happenedAt } of visits) {
    shares[Math.floor(random() * count)]?.push({ action: mishap.action, happenedAt, customer })
  }
  return shares
}

/** Counts the envelopes with an event that were answered with 200. */
function watchSent(page: Page): () => number {
  let sent = 0
  page.on('response', (response) => {
    const isEvent = response.request().postData()?.includes('{"type":"event"') === true
    if (isEvent && response.ok()) sent += 1
  })
  return () => sent
}
