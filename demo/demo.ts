import { setTimeout as sleep } from 'node:timers/promises'
import { deployments, type ServiceName } from './deployments.ts'
import { ensureShopProjects } from './projects.ts'
import { ensureShopRules } from './rules.ts'
import { runServices } from './services.ts'
import { launchChromium, shop } from './shoppers.ts'
import { startStorefront } from './storefront.ts'

/**
 * `npm run demo`: fills a running Culvert with one day of a shop that has many errors. Real SDKs send it:
 * `@sentry/node` from one process for each release of the API and the worker, `@sentry/browser` from a page
 * in a headless Chromium.
 */

/** How long the storefront stays open for a person where no Chromium is found. */
const storefrontOpenMs = 10 * 60_000

async function main(): Promise<number> {
  const startedAt = Date.now()
  const dsns = await ensureShopProjects()
  const { origin } = new URL(dsns.web)
  if (!(await isCulvert(origin))) {
    console.error(
      `No Culvert answers at ${origin}. Start it with "npm start" in another terminal, then try again.`,
    )
    return 1
  }
  await ensureShopRules()
  console.log(`Sending a day of the shop to ${origin} (projects shop-api, shop-worker and shop-web) …`)
  const [api, worker, web] = await Promise.all([
    runServices(dsns.api, deploymentsOf('api')),
    runServices(dsns.worker, deploymentsOf('worker')),
    openStorefront(dsns.web),
  ])
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(
    `Sent ${api + worker + web} events in ${seconds} s: API ${api}, worker ${worker}, storefront ${web}.`,
  )
  console.log(
    `Look at ${origin}/issues?status=all, and at ${origin}/inbox: it has what rules of the demo sent.`,
  )
  return 0
}

async function openStorefront(dsn: string): Promise<number> {
  const storefront = await startStorefront(dsn)
  const browser = await launchChromium(storefront)
  try {
    if (browser !== undefined) return await shop(browser, deploymentsOf('web'))
    console.log('No Chromium found, so the storefront waits for you: its buttons fail as their names say.')
    console.log(`Open ${storefront.address} within ten minutes, or stop with Ctrl-C.`)
    await sleep(storefrontOpenMs)
    return 0
  } finally {
    await browser?.close()
    storefront.close()
  }
}

function deploymentsOf(service: ServiceName) {
  return deployments.filter((deployment) => deployment.service === service)
}

async function isCulvert(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(20_000) })).ok
  } catch {
    return false
  }
}

process.exitCode = await main()
