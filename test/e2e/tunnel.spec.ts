import { createServer } from 'node:http'
import { join } from 'node:path'
import { serveLocally, type LocalServer } from '#test/listen-locally.ts'
import { createExpressApp } from '#test/recipe.ts'
import { bundle } from './support/browser-app.ts'
import { type Culvert, startCulvert } from './support/culvert.ts'
import { expect, onePageTest as test, serveCulvert, signIn } from './support/test.ts'

/** The shop, on an origin of its own that passes `/crumbs` on. */
let shop: LocalServer
/** The upstream: another Culvert, under the name of Sentry's own service. */
let second: Culvert
let upstreamDsn: string
let ownDsn: string

const culvert = serveCulvert(
  async (first) => {
    const shopOpens = openShop(first)
    const [started, project] = await Promise.all([startCulvert(), first.createProject('Shop')])
    second = started
    const { dsn, id } = await second.createProject('Second')
    const { host, username } = new URL(dsn)
    ownDsn = project.dsn
    upstreamDsn = `http://${username}@o4507.ingest.us.sentry.io/${id}`
    await first.run('upstream', 'add', 'shop', upstreamDsn, '--connect', host)
    await shopOpens
  },
  { variables: { CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' } },
)
test.afterAll(async () => {
  await shop.close()
  await second.stop()
})

async function openShop({ origin }: Culvert): Promise<void> {
  const script = await bundle(join(import.meta.dirname, 'fixtures/tunnel-page.ts'))
  const app = createExpressApp(origin)
  app.get('/shop.js', (_request, response) => void response.type('js').send(script))
  app.get('/', (_request, response) => {
    response.send(
      '<!doctype html><title>Shop</title><link rel="icon" href="data:,"><body><script type="module" src="/shop.js"></script>',
    )
  })
  shop = await serveLocally(createServer(app))
}

const visits = [
  { sdk: '10', what: '@sentry/browser 10', tunnel: '/crumbs', dsn: () => ownDsn },
  { sdk: '11', what: '@sentry/browser 11', tunnel: '/crumbs', dsn: () => upstreamDsn },
  {
    sdk: 'Start',
    what: '@sentry/tanstackstart-react with the address that @sentry/nextjs makes',
    tunnel: 'nextjs',
    dsn: () => upstreamDsn,
  },
]

test(
  'reports that pass an ad blocker are stored, and shown by the Culvert that they are forwarded to',
  { tag: '@postgres' },
  async ({ page, context, problems }) => {
    problems.expect(/The cart is locked|Failed to load resource|status of 403/)
    // Like a filter list: every address with that word.
    await page.route(/sentry/, (route) => route.abort('blockedbyclient'))
    const listed = async (origin: string) => {
      await page.goto(`${origin}/issues`)
      return page.getByRole('row').filter({ hasText: 'TunnelError' })
    }
    // The project does not list the page's origin yet.
    const visit = async ({ sdk, tunnel, dsn }: (typeof visits)[number]) => {
      const id = new URL(upstreamDsn).pathname.slice(1)
      const address = tunnel === 'nextjs' ? `/crumbs?o=4507&p=${id}&r=us` : tunnel
      // In the fragment, because the filter would block it in the address.
      await page.goto('about:blank')
      await page.goto(`${shop.origin}/#${new URLSearchParams({ dsn: dsn(), tunnel: address, sdk })}`)
      const answered = page.waitForResponse(
        (response) => response.request().postData()?.includes(`TunnelError${sdk}`) === true,
      )
      await page.getByRole('button', { name: 'throw' }).click()
      return (await answered).status()
    }
    for (const each of visits.slice(0, 1)) expect(await visit(each)).toBe(403)
    await culvert().run('limits', 'set', 'shop', '--origin', shop.origin)
    // The server notices changes by the command line within a second.
    for (const each of visits.slice(0, 1)) await expect.poll(() => visit(each)).toBe(200)
    for (const each of visits.slice(1)) expect(await visit(each), each.what).toBe(200)
    await expect(await listed(culvert().origin)).toHaveCount(3)
    // Cookies are shared between ports: from here on the second Culvert's console is open.
    await signIn(context, second)
    await expect(async () => expect(await (await listed(second.origin)).count()).toBe(3)).toPass({
      timeout: 20_000,
    })
  },
)
