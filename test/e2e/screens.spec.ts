import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { hourMs } from '#time/time-steps.ts'
import type { Culvert, Project } from './support/culvert.ts'
import { cspReport, fullEvent, sendEvent, sendIssues, sendItems, sendTransaction } from './support/events.ts'
import { recordRemovedParts, waitUntilSettled, openSettled } from './support/hydration.ts'
import { findIssuePath } from './support/issue-path.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { findUnstyledClasses } from './support/styles-check.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let project: Project
let eventId = ''
const reportId = 'c59'.padEnd(32, '0')
/** Two event ids have this prefix. */
const sharedDigest = 'c0ffee00c0ff'

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Shop')
  // Enough to fill a screen; each further row slows down every check.
  await sendIssues(project, 12)
  eventId = await sendEvent(project, fullEvent('PaymentError'))
  await sendItems(project, eventId, [
    [{ type: 'attachment', filename: `${'a-long-name-'.repeat(20)}.log` }, 'log'],
    [{ type: 'user_report' }, { name: 'Jane', email: 'jane@example.com', comments: 'It ate my order' }],
  ])
  await sendItems(project, reportId, [[{ type: 'raw_security' }, cspReport]])
  await sendEvent(project, { ...fullEvent('AddressError'), environment: 'staging' })
  await sendItems(project, eventId, [[{ type: 'sessions' }, sessionsOf('shop@1.2.3')]])
  await sendEvent(project, fullEvent('PaymentError'), `${sharedDigest}${'1'.repeat(20)}`)
  await sendEvent(project, fullEvent('CartError'), `${sharedDigest}${'2'.repeat(20)}`)
  tellOfRelease(started, project.id)
  await sendCheckIns(started.origin)
  for (let seconds = 1; seconds < 30; seconds += 1) await sendPageLoad(seconds)
})

/** A page load with a query, a request and web vitals. */
async function sendPageLoad(seconds: number): Promise<void> {
  const endedAt = Date.now() / 1000
  const spanOf = (op: string, description: string) => ({
    span_id: randomBytes(8).toString('hex'),
    op,
    description,
    start_timestamp: endedAt - seconds / 2,
    timestamp: endedAt,
  })
  await sendTransaction(project, {
    transaction: '/carts/$id/checkout/a-long-name-without-an-end',
    transaction_info: { source: 'route' },
    release: `shop@1.2.${seconds % 3}`,
    environment: 'production',
    start_timestamp: endedAt - seconds,
    timestamp: endedAt,
    contexts: {
      trace: {
        trace_id: randomBytes(16).toString('hex'),
        span_id: randomBytes(8).toString('hex'),
        op: 'pageload',
        status: seconds % 7 === 0 ? 'internal_error' : 'ok',
      },
    },
    measurements: {
      lcp: { value: seconds * 200 },
      cls: { value: seconds / 100 },
      ttfb: { value: seconds * 40 },
    },
    spans: [
      spanOf(
        'db',
        `SELECT "a" FROM "carts" WHERE "id" IN (${seconds}, 2) AND "owner" = 'somebody-with-a-long-name'`,
      ),
      spanOf('http.client', 'GET https://payments.example.com/v1/charge'),
      spanOf('resource.script', 'https://cdn.example.com/assets/index-a1b2c3.js'),
      spanOf('cache.get', 'cart:17'),
    ],
  })
}

/** The first matching address in a list: of that page load, or its spans, once they are counted. */
async function findListedAddress(list: string, pattern: RegExp): Promise<string> {
  let address = ''
  await expect
    .poll(async () => {
      const html = await (await fetch(`${culvert().origin}${list}`, signedIn())).text()
      address = pattern.exec(html)?.[0] ?? ''
      return address
    })
    .not.toBe('')
  return address
}

/** Check-ins of a monitor in two environments. Waits until its page shows them. */
async function sendCheckIns(origin: string): Promise<void> {
  const { username: publicKey } = new URL(project.dsn)
  await fetch(`${origin}/ping/${publicKey}/nightly?create=1`, { method: 'POST', body: 'stored '.repeat(200) })
  await fetch(`${origin}/ping/${publicKey}/nightly/fail?environment=staging`)
  const url = `${origin}/monitors/shop/nightly`
  await expect.poll(async () => (await fetch(url, signedIn())).status).toBe(200)
}

function signedIn() {
  const { name, value } = culvert().session
  return { headers: { accept: 'text/html', cookie: `${name}=${value}` } }
}

/** A release with texts from tools that are too long for their column. */
function tellOfRelease(started: Culvert, projectId: number): void {
  const [place, now, long] = [`${projectId}, 'shop@1.2.3'`, Date.now(), 'Fix-the-cart-'.repeat(20)]
  started.execute(`
    INSERT INTO deploys VALUES (${place}, 1, 'production', '${long}', NULL, NULL, ${now});
    INSERT INTO release_commits (project_id, version, number, id, repository, message, author_name, author_email,
      committed_at) VALUES (${place}, 1, '${'a1'.repeat(20)}', NULL, '${long}', 'Ada', NULL, ${now}),
      (${place}, 2, '${'b2'.repeat(20)}', NULL, NULL, NULL, NULL, NULL);
    INSERT INTO artifact_bundles VALUES (${projectId}, 1, x'${'ab'.repeat(20)}', 'shop@1.2.3', '${long}', ${now}, ${now}, 1, 3, 4096)`)
  started.execute(`
    UPDATE projects SET settings = json_set(settings, '$.issueTracker', json('{"kind":"linear"}')) WHERE id = ${projectId};
    INSERT OR REPLACE INTO import_jobs VALUES ('latest', json_object('id', 'a', 'state', 'done', 'report', '${long}', 'share', 1,
      'results', json_array('${long}'), 'problem', '${long}', 'addsOwners', json('false'), 'source', json_object('tracker', 'sentry',
      'url', 'https://sentry.example/${long}', 'organization', '', 'eventCount', 1, 'sealedToken', '')), ${now});
    INSERT INTO issue_links SELECT project_id, id, 'https://linear.app/acme/issue/ENG-1', '${long}', 1, ${now}, NULL FROM issues WHERE project_id = ${projectId}`)
}

/** Sessions of the last hours, of every state, and of users. */
function sessionsOf(release: string) {
  const aggregates = [0, 1, 2, 30].map((hoursAgo) => ({
    started: new Date(Date.now() - hoursAgo * hourMs).toISOString(),
    did: `user ${hoursAgo}`,
    exited: 1_200 - hoursAgo,
    errored: 40,
    unhandled: 3,
    abnormal: 2,
    crashed: hoursAgo,
  }))
  return { aggregates, attrs: { release, environment: 'production' } }
}

// Accessibility is checked in every combination, which is slow on a busy machine: so each worker checks a
// part.
test.describe.configure({ mode: 'parallel', timeout: 180_000 })
// Not the server's time zone: times are formatted again once the page is hydrated.
test.use({ timezoneId: 'America/New_York' })

/** Opens a screen and waits until it is interactive and its own monitoring has started. */
async function open(page: Page, path: string): Promise<number | undefined> {
  const response = await openSettled(page, culvert().origin + path)
  return response?.status()
}

/** The screens of the console, by route: a new route without a row fails below. */
const screens: Record<string, () => Promise<string[]> | string[]> = {
  '/issues/': () => [
    '/issues',
    '/issues?status=all&project=shop&environment=staging&sort=events',
    '/issues?status=resolved',
  ],
  '/issues/$issueId': async () => [await findIssue(), `${await findIssue()}?trend=14d&frames=raw`],
  '/issues/$issueId/events': async () => [`${await findIssue()}/events`],
  '/issues/$issueId/tags': async () => [`${await findIssue()}/tags`],
  '/issues/$issueId/alerts': async () => [`${await findIssue()}/alerts`],
  '/events/$eventId': () => [`/events/${eventId}`, `/events/${reportId}`],
  '/digest/': () => ['/digest'],
  '/digest/$digest': () => [`/digest/${sharedDigest}`, '/digest/000000000000'],
  // With spans in traces.spec.ts.
  '/traces/$traceId': () => [`/traces/${'a'.repeat(32)}`],
  '/projects/': () => ['/projects'],
  '/projects/new': () => ['/projects/new'],
  '/projects/$slug/setup': () => ['/projects/shop/setup'],
  '/projects/$slug/': () => ['/projects/shop'],
  '/projects/$slug/keys': () => ['/projects/shop/keys'],
  '/projects/$slug/grouping': () => ['/projects/shop/grouping'],
  '/projects/$slug/inbound': () => ['/projects/shop/inbound'],
  '/projects/$slug/limits': () => ['/projects/shop/limits'],
  '/projects/$slug/scrubbing': () => ['/projects/shop/scrubbing'],
  '/projects/$slug/members': () => ['/projects/shop/members'],
  '/projects/$slug/danger': () => ['/projects/shop/danger'],
  '/projects/$slug/alerts': () => ['/projects/shop/alerts'],
  '/projects/$slug/upstreams': () => ['/projects/shop/upstreams'],
  '/projects/$slug/ownership': () => ['/projects/shop/ownership'],
  '/projects/$slug/source-maps': () => [
    '/projects/shop/source-maps',
    '/projects/shop/source-maps?release=shop@1.2.3',
  ],
  '/performance/': () => [
    '/performance',
    '/performance?period=30d&project=shop',
    '/performance?view=queries',
    '/performance?view=requests',
    '/performance?view=caches',
    '/performance?view=queues',
    '/performance?view=resources&period=7d',
    '/performance?sort=release',
    '/performance?view=vitals&device=unknown',
    '/performance?q=none',
  ],
  '/performance/$project/$transaction': async () => {
    const address = await findListedAddress('/performance', /\/performance\/shop\/\d+/)
    return [address, `${address}?period=7d`, `${address}?environment=none`]
  },
  '/performance/$project/spans/$group': async () => {
    const address = await findListedAddress('/performance?view=queries', /\/performance\/shop\/spans\/\d+/)
    return [address, `${address}?period=30d`]
  },
  '/monitors/': () => ['/monitors'],
  '/monitors/new': () => ['/monitors/new'],
  '/monitors/new-uptime': () => ['/monitors/new-uptime'],
  '/monitors/$project/$slug': () => ['/monitors/shop/nightly?period=7d'],
  '/releases/': () => ['/releases'],
  '/releases/$version': () => ['/releases/shop@1.2.3?period=24h'],
  '/tunnel': () => ['/tunnel'],
  '/outcomes': () => ['/outcomes'],
  '/docs/': () => ['/docs'],
  '/docs/$guide': () => ['/docs/serving'],
  '/settings/': () => ['/settings'],
  '/settings/members': () => ['/settings/members'],
  '/settings/system': () => ['/settings/system'],
  '/settings/import': () => ['/settings/import'],
  '/settings/tokens': () => ['/settings/tokens'],
  '/settings/notifications': () => ['/settings/notifications'],
  '/unsubscribe/$token': () => ['/unsubscribe/none'],
  '/settings/status-page': () => ['/settings/status-page'],
  '/settings/destinations': () => ['/settings/destinations', '/settings/destinations?channel=webhook'],
  '/alerts': () => ['/alerts'],
  '/inbox': () => ['/inbox', '/inbox?show=all'],
}

/** Routes that return no screen of the console, and those that other tests check as thoroughly. */
const otherRoutes = [
  // Redirects, files and requests of machines.
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/live',
  '/sign-out',
  '/api/$',
  '/api/cron',
  '/api/hooks/issues/$project',
  '/mcp',
  '/badge/$project/$secret',
  '/status/$organization',
  '/organizations/$org/$',
  '/auth/sign-in',
  '/auth/callback/$provider',
  '/settings/import/upload',
  '/events/$eventId/json',
  '/events/$eventId/markdown',
  '/events/$eventId/attachments/$number',
  '/outcomes/dead-letters/$projectId/$letterId',
  // Checked below, in accounts.spec.ts and in forgot-password.spec.ts.
  '/outcomes/dead-letters',
  '/login',
  '/setup',
  '/invite/$token',
  '/password/$token',
  '/forgot-password',
]

test('every screen of the route tree is checked', () => {
  const tree = readFileSync(join(import.meta.dirname, '../../src/routeTree.gen.ts'), 'utf8')
  const [, list = ''] = /fullPaths:([^]*?)fileRoutesByTo/.exec(tree) ?? []
  const paths = [...list.matchAll(/'([^']+)'/g)].map(([, path = '']) => path)
  expect([...Object.keys(screens), ...otherRoutes].toSorted()).toEqual(paths.toSorted())
})

const findIssue = () => findIssuePath(culvert(), eventId)

const areaOf = (route: string) => route.split('/')[1] ?? ''

/** Areas of the daily work. The screens of the others have parts of these, and are in the full run. */
const dailyAreas = new Set(['issues', 'events', 'digest', 'traces'])

// One page for all screens, which is faster than a page for each.
for (const area of new Set(Object.keys(screens).map(areaOf))) {
  const title = `all screens under /${area} are accessible, fit, do not move and log nothing`
  test(title, { tag: dailyAreas.has(area) ? [] : '@full' }, async ({ page, context }) => {
    await recordRemovedParts(context)
    for (const [route, listAddresses] of Object.entries(screens)) {
      if (areaOf(route) !== area) continue
      for (const address of await listAddresses()) {
        await test.step(address, async () => {
          expect(await open(page, address), address).toBe(200)
          // Hydration keeps the HTML of the server: what it replaced would flash and lose a click.
          expect(await page.evaluate(() => globalThis.removedParts)).toEqual([])
          expect(await findUnstyledClasses(page)).toEqual([])
          await expectGoodLayout(page)
        })
      }
    }
  })
}

test('the dialogs of the keyboard are accessible and fit @full', async ({ page }) => {
  await open(page, '/issues')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectGoodLayout(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option', { name: /PaymentError/ }).first()).toBeVisible()
  await expectGoodLayout(page)
})

test('dead letters are accessible, fit, log nothing, and can be retried and deleted', async ({ page }) => {
  await open(page, '/outcomes/dead-letters')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('No dead letters')
  await expectGoodLayout(page)

  const now = Date.now()
  culvert().execute(`
    INSERT INTO dead_letters (project_id, id, item_type, category, reason, received_at, origin, payload) VALUES
      (${project.id}, '${crypto.randomUUID()}', 'event', 'error', 'Cannot read properties of undefined (reading ''frames'')', ${now},
        '{}', CAST('{"message":"buried"}' AS BLOB)),
      (${project.id}, '${crypto.randomUUID()}', 'event', 'error', '${'x'.repeat(200)}', ${now - hourMs}, '{}', x'7b7d'),
      (${project.id}, '${crypto.randomUUID()}', 'event', 'error', 'too slow', ${now - 2 * hourMs}, '{}', x'7b7d'),
      (${project.id}, '${crypto.randomUUID()}', 'event', 'error', 'too slow', ${now - 3 * hourMs}, '{}', x'7b7d')`)
  await page.goto(`${culvert().origin}/outcomes`)
  await page.getByRole('link', { name: '4 dead letters' }).click()
  const again = page.getByRole('button', { name: 'Retry', exact: true })
  await expect(again).toHaveCount(4)
  await page.reload()
  await waitUntilSettled(page)
  await expectGoodLayout(page)
  await again.first().click()
  await expect(page.getByText('1 item processed.')).toBeVisible()
  await expect(again).toHaveCount(3)
  await expect(again.first()).toBeFocused()
  const slow = page.getByRole('row').filter({ hasText: 'too slow' })
  await slow.first().getByText('Delete…').click()
  await expect(slow.first()).toContainText('It will be lost.')
  await expectGoodLayout(page)
  await slow.first().getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('1 item deleted.')).toBeVisible()
  await expect(slow).toHaveCount(1)
  await page.getByText('Delete all…').click()
  await page.getByRole('button', { name: 'Delete all' }).click()
  await expect(page.getByText('2 items deleted.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('No dead letters')
})

test('the not-found pages are accessible, fit and log nothing', async ({ page, problems }) => {
  problems.expect(/status of 404/)
  expect(await open(page, '/nowhere')).toBe(404)
  await expectGoodLayout(page)
})

test('the failure page is accessible and fits, and "Try again" shows the screen once it works', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 500/)
  culvert().execute('alter table projects rename column created_at to created_at_hidden')
  try {
    expect(await open(page, '/projects')).toBe(500)
    await expectGoodLayout(page)
  } finally {
    culvert().execute('alter table projects rename column created_at_hidden to created_at')
  }
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
})

test.describe('in an empty installation', () => {
  const empty = shareCulvert(async (started) => {
    await started.createProject('App')
  })

  test('the first screens are accessible, fit and log nothing', async ({ page }) => {
    for (const path of ['/issues', '/projects']) {
      await openSettled(page, empty().origin + path)
      await expectGoodLayout(page)
    }
  })
})
