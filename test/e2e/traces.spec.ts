import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent, sendTransaction } from './support/events.ts'
import { openSettled } from './support/hydration.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'
import { startTraceApp, type TraceApp } from './support/trace-app.ts'
import { rowsOf, spanId } from './support/traces.ts'

let shop: Project
let api: Project
let jobs: Project
let app: TraceApp
let eventId = ''
let transactionEventId = ''

const traceId = randomBytes(16).toString('hex')

const culvert = shareCulvert(async (started) => {
  shop = await started.createProject('Shop')
  api = await started.createProject('Orders API')
  jobs = await started.createProject('Orders jobs')
  app = await startTraceApp(api.dsn)
  await sendSmallTrace()
})

test.afterAll(() => app.close())

/** A click in the shop, the server function that it called, and its query, which failed. */
async function sendSmallTrace(): Promise<void> {
  const at = Date.now() / 1000
  transactionEventId = await sendTransaction(shop, {
    transaction: '/checkout',
    start_timestamp: at - 2,
    timestamp: at - 1,
    platform: 'javascript',
    contexts: { trace: { trace_id: traceId, span_id: spanId(1), op: 'navigation', status: 'ok' } },
    spans: [
      {
        trace_id: traceId,
        span_id: spanId(2),
        parent_span_id: spanId(1),
        op: 'http.client',
        description: 'POST /_serverFn/placeOrder',
        start_timestamp: at - 1.9,
        timestamp: at - 1.2,
        status: 'internal_error',
      },
    ],
  })
  await sendTransaction(api, {
    transaction: 'POST /_serverFn/placeOrder',
    start_timestamp: at - 1.8,
    timestamp: at - 1.3,
    platform: 'node',
    release: 'orders@3.1.4',
    contexts: {
      trace: {
        trace_id: traceId,
        span_id: spanId(3),
        parent_span_id: spanId(2),
        op: 'http.server',
        status: 'internal_error',
      },
    },
    spans: [
      {
        trace_id: traceId,
        span_id: spanId(4),
        parent_span_id: spanId(3),
        op: 'db.query',
        description: 'INSERT INTO orders (cart) VALUES ($1)',
        data: { 'db.system.name': 'postgresql' },
        start_timestamp: at - 1.7,
        timestamp: at - 1.4,
        status: 'internal_error',
      },
    ],
  })
  eventId = await sendEvent(api, {
    ...fullEvent('OrderError'),
    timestamp: at - 1.5,
    contexts: { trace: { trace_id: traceId, span_id: spanId(4), op: 'db.query' } },
  })
}

test('a trace is shown from click to query, with its error, its services and a span', async ({ page }) => {
  await page.goto(`${culvert().origin}/traces/${traceId}`)
  const rows = rowsOf(page)
  await expect(rows).toHaveCount(4)
  await expect(rows.nth(0)).toContainText('/checkout')
  await expect(rows.nth(1)).toContainText('POST /_serverFn/placeOrder')
  await expect(rows.nth(2)).toContainText('Orders API')
  await expect(rows.nth(3)).toContainText('INSERT INTO orders')
  await expect(rows.nth(3)).toContainText('failed')
  await expect(rows.nth(3).getByRole('link', { name: /OrderError/ })).toHaveAttribute(
    'href',
    `/events/${eventId}`,
  )
  await expect(page.getByRole('main')).toContainText('orders@3.1.4')

  await rows.nth(3).getByRole('link', { name: 'INSERT INTO orders' }).click()
  const details = page.getByRole('region', { name: 'Span', exact: true })
  await expect(details).toContainText('postgresql')
  await expect(details).toContainText('internal_error')
  await expect(rows.nth(3)).toHaveAttribute('aria-selected', 'true')
  await expectGoodLayout(page)
})

test(
  'the page of an error shows its trace with the failed span marked',
  { tag: '@postgres' },
  async ({ page }) => {
    await page.goto(`${culvert().origin}/events/${eventId}`)
    const trace = page.getByRole('region', { name: 'Trace', exact: true })
    const rows = trace.getByRole('row')
    await expect(rows).toHaveCount(4)
    await expect(rows.nth(3)).toContainText('INSERT INTO orders')
    await expect(rows.nth(3)).toContainText('this event')
    await expectGoodLayout(page)
    await page.setViewportSize({ width: 1280, height: 900 })
    await trace.getByRole('link', { name: 'Open the trace: 4 spans' }).click()
    await expect(page).toHaveURL(new RegExp(`/traces/${traceId}`))
    await page.goBack()
    const sections = page.getByRole('navigation', { name: 'Issue sections' })
    await sections.getByRole('link', { name: 'Issue', exact: true }).click()
    await expect(sections.locator('[aria-current]')).toHaveText('Issue')
    await expect(page.getByRole('region', { name: 'Trace', exact: true }).getByRole('row')).toHaveCount(4)
  },
)

test('a list is sorted by its URL, or by default where it does not have that order @full', async ({
  page,
}) => {
  const url = `${culvert().origin}/performance?view=queries&sort=release`
  const sort = page.getByRole('combobox', { name: 'Sort by' })
  await openSettled(page, url)
  expect(page.url()).toBe(url)
  await expect(sort).toHaveValue('time')
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  await sort.selectOption('release')
  await expect(page).toHaveURL(/sort=release/)
  await page.getByRole('link', { name: 'Queries', exact: true }).click()
  await expect(page).not.toHaveURL(/sort=release/)
  await expect(sort).toHaveValue('time')
  await page.goBack()
  await expect(sort).toHaveValue('release')
})

test('the event id of a transaction leads to its span in the trace @full', async ({ page }) => {
  const spanOfTrace = `${culvert().origin}/traces/${traceId}?span=${spanId(1)}`
  await page.goto(`${culvert().origin}/events/${transactionEventId}`)
  await expect(page).toHaveURL(spanOfTrace)
  await page.goto(`${culvert().origin}/digest`)
  await page.getByRole('main').getByRole('searchbox').fill(transactionEventId)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(spanOfTrace)
  const details = page.getByRole('region', { name: 'Span', exact: true })
  await expect(details).toContainText(transactionEventId)
  await expectGoodLayout(page)
})

test('its rows are collapsed and navigated with keys @full', async ({ page }) => {
  await page.goto(`${culvert().origin}/traces/${traceId}`)
  const rows = rowsOf(page)
  await expect(rows.nth(0).getByRole('button', { name: 'Collapse 3 spans' })).toBeVisible()
  await rows.nth(0).focus()
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('ArrowRight')
  await expect(rows).toHaveCount(4)
  await page.keyboard.press('End')
  await expect(rows.nth(3)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`span=${spanId(4)}`))
})

test('a span and its details are visible below a long tree until Escape @full', async ({ page }) => {
  const id = randomBytes(16).toString('hex')
  const at = Date.now() / 1000
  const spans = Array.from({ length: 100 }, (_, index) => ({
    trace_id: id,
    span_id: spanId(index + 2),
    parent_span_id: spanId(1),
    op: 'db.query',
    description: `SELECT ${index}`,
    start_timestamp: at - 2 + index * 0.01,
    timestamp: at - 1.99 + index * 0.01,
    data: Object.fromEntries(Array.from({ length: 30 }, (_each, number) => [`key.${number}`, 'value'])),
  }))
  const trace = { trace_id: id, span_id: spanId(1), op: 'http.server' }
  await sendTransaction(api, { transaction: 'GET /long', contexts: { trace }, spans })
  await page.goto(`${culvert().origin}/traces/${id}`)
  const row = page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: 'SELECT 90', exact: true }) })
  const details = page.getByRole('region', { name: 'Span', exact: true })
  const expectInSight = async () => {
    await expect(details.getByText('Operation')).toBeInViewport()
    const isAbove = async () => {
      const [above, below] = await Promise.all([row.boundingBox(), details.boundingBox()])
      return above !== null && below !== null && above.y + above.height <= below.y
    }
    await expect.poll(isAbove).toBe(true)
  }
  await row.getByRole('link', { name: 'SELECT 90' }).click()
  await expectInSight()
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await row.focus()
    await expectInSight()
  }
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await page.keyboard.press('Enter')
  await expectInSight()
  await expectGoodLayout(page)
  await details.getByRole('link', { name: 'Close' }).press('Enter')
  await expect(details).toBeHidden()
  await expect(row).toBeFocused()
})

test('repeated and slow queries of a real SDK are issues with the spans as evidence @full', async ({
  page,
}) => {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'fixtures/slow-queries-app.ts')], {
    env: { ...process.env, SENTRY_DSN: jobs.dsn },
  })
  await page.goto(`${culvert().origin}/issues?q=issue.category:performance project:orders-jobs`)
  const rows = page.getByRole('row').filter({ hasText: 'GET /orders' })
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: 'Slow DB Query' })).toContainText('SELECT sum(price) FROM items')
  await page.getByRole('link', { name: 'N+1 Query' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('N+1 Query')
  const evidence = page.getByRole('region', { name: 'Performance', exact: true })
  await expect(evidence).toContainText('SELECT id FROM orders WHERE user_id = %s')
  await expect(evidence).toContainText('SELECT * FROM items WHERE order_id = %s')
  await expect(evidence).toContainText('300 ms')
  const spans = page.getByRole('region', { name: 'Trace', exact: true }).getByRole('row')
  await expect(spans.filter({ hasText: 'repeated' })).toHaveCount(11)
  await expect(page.getByRole('main')).toContainText('orders@3.1.4')
  await expectGoodLayout(page)
})

test('the figures of a transaction are those of the chosen environment @full', async ({ page }) => {
  // No error names this environment, nor this release.
  for (const environment of ['production', 'production', 'preview'])
    await sendTransaction(shop, {
      transaction: '/cart',
      platform: 'javascript',
      environment,
      release: 'cart@7.0.0',
      contexts: {
        trace: {
          trace_id: randomBytes(16).toString('hex'),
          span_id: spanId(5),
          op: 'pageload',
          status: 'ok',
        },
      },
    })
  const main = page.getByRole('main')
  // Figures are added up within a second.
  await expect(async () => {
    await page.goto(`${culvert().origin}/performance?project=shop`)
    await page.getByRole('link', { name: '/cart', exact: true }).click({ timeout: 1_000 })
    await expect(main).toContainText(/Count\s*3\s*Per minute/, { timeout: 2_000 })
  }).toPass()
  await page.getByLabel('Environment').selectOption('preview')
  await expect(page).toHaveURL(/\?environment=preview$/)
  await expect(main).toContainText(/Count\s*1\s*Per minute/)
  await page.getByRole('link', { name: 'cart@7.0.0' }).click()
  await expect(page.getByRole('heading', { name: 'cart@7.0.0' })).toBeVisible()
})

test('SDKs in a browser and in Node.js make one trace, from click to SQL', async ({ page, problems }) => {
  problems.expect(/500/)
  await page.goto(app.address(shop.dsn))
  const sent = page.waitForResponse(
    (response) => response.request().postData()?.includes('ui.action.click') === true,
  )
  await page.getByRole('button', { name: 'Order' }).click()
  const answer = await sent
  expect(answer.status()).toBe(200)
  const id = /"trace_id":"([0-9a-f]{32})"/.exec(answer.request().postData() ?? '')?.[1] ?? ''
  await expect(async () => {
    await page.goto(`${culvert().origin}/traces/${id}`)
    // The spans and the error are sent by several requests.
    for (const each of [
      page.getByRole('row').filter({ hasText: 'INSERT INTO orders' }),
      page.getByRole('link', { name: /OrderError/ }).first(),
    ])
      await expect(each).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
  const labels = [
    'Order',
    '/_serverFn/placeOrder',
    '/_serverFn/placeOrder',
    'placeOrder',
    'INSERT INTO orders',
  ]
  const rows = rowsOf(page)
  await expect(rows).toHaveCount(labels.length)
  for (const [at, label] of labels.entries()) await expect(rows.nth(at)).toContainText(label)
})
