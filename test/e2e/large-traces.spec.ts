import { randomBytes } from 'node:crypto'
import type { Project } from './support/culvert.ts'
import { sendTransaction } from './support/events.ts'
import { delayHydration, openSettled, waitUntilSettled } from './support/hydration.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'
import { rowsOf, spanId } from './support/traces.ts'

let api: Project

const largeId = randomBytes(16).toString('hex')

const culvert = shareCulvert(async (started) => {
  api = await started.createProject('Orders API')
  for (let part = 0; part < 10; part += 1) await sendLargePart(part)
})

/** A tenth of a trace of 10,000 spans: a request with a thousand queries in a hundred functions. */
async function sendLargePart(part: number): Promise<void> {
  const at = Math.floor(Date.now() / 1000) - 100 + part * 5
  const root = 0x1_0000 * (part + 1)
  const spans = Array.from({ length: 999 }, (_, index) => ({
    trace_id: largeId,
    span_id: spanId(root + index + 1),
    parent_span_id: spanId(index % 10 === 0 ? root : root + index + 1 - (index % 10)),
    op: index % 10 === 0 ? 'function' : 'db.query',
    description: index % 10 === 0 ? `step ${index}` : `SELECT ${index}`,
    start_timestamp: at + index * 0.004,
    timestamp: at + index * 0.004 + (index % 10 === 0 ? 0.04 : 0.003),
    status: 'ok',
  }))
  await sendTransaction(api, {
    transaction: `GET /report/${part}`,
    start_timestamp: at,
    timestamp: at + 4,
    contexts: { trace: { trace_id: largeId, span_id: spanId(root), op: 'http.server', status: 'ok' } },
    spans,
  })
}

test('a trace of 10,000 spans has few elements, and reaches its last row by a key @full', async ({
  page,
}) => {
  await page.goto(`${culvert().origin}/traces/${largeId}`)
  const rows = rowsOf(page)
  await expect(page.getByRole('treegrid')).toHaveAttribute('data-scrolls', '')
  await expect(page.getByRole('main')).toContainText(/Spans\s*10,000/)
  // The functions, whose queries are collapsed: they are short.
  await expect(page.getByRole('treegrid')).toHaveAttribute('aria-rowcount', '1010')
  expect(await rows.count()).toBeLessThan(100)
  await waitUntilSettled(page)
  await rows.first().focus()
  await page.keyboard.press('End')
  await expect(page.getByRole('row').filter({ hasText: 'step 990' })).toBeFocused()
  expect(await rows.count()).toBeLessThan(100)
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('region', { name: 'Span', exact: true }).getByText('Operation'),
  ).toBeInViewport()
  await expect(page.getByRole('row').filter({ hasText: 'step 990' })).toBeInViewport()
  await expectGoodLayout(page)
})

test('a key on a row that has the focus since before hydration loads the other rows @full', async ({
  page,
}) => {
  const hydrate = await delayHydration(page)
  await page.goto(`${culvert().origin}/traces/${largeId}`, { waitUntil: 'commit' })
  await rowsOf(page).first().focus()
  hydrate()
  await waitUntilSettled(page)
  await page.keyboard.press('End')
  await expect(page.getByRole('row').filter({ hasText: 'step 990' })).toBeFocused()
})

test('the page of a large trace has the rows of a screen, and loads others if needed @full', async ({
  page,
}) => {
  const loads = () =>
    page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('isWhole')).length,
    )
  const answer = await page.goto(`${culvert().origin}/traces/${largeId}`)
  expect((await answer?.body())?.byteLength).toBeLessThan(110_000)
  const rows = rowsOf(page)
  const expand = rows.nth(1).getByRole('button', { name: 'Expand 9 spans' })
  await expect(expand).toBeVisible()
  expect(await loads()).toBe(0)
  await expand.click()
  await expect(rows.nth(2)).toContainText('SELECT 1')
  await expect(page.getByRole('treegrid')).toHaveAttribute('aria-rowcount', '1019')
  expect(await loads()).toBe(1)
  await rows.nth(1).getByRole('button', { name: 'Collapse 9 spans' }).click()
  await expect(page.getByRole('treegrid')).toHaveAttribute('aria-rowcount', '1010')

  // Scrolled without the pointer over it.
  await page.reload()
  await page.mouse.move(0, 0)
  // Before hydration, the end is that of the first screen.
  await waitUntilSettled(page)
  await page.getByRole('treegrid').evaluate((grid) => {
    grid.scrollIntoView({ block: 'end' })
    grid.scrollTo({ top: grid.scrollHeight })
  })
  await expect(page.getByRole('row').filter({ hasText: 'step 990' })).toBeInViewport()
})

test('a span of a large trace that is below a collapsed one is shown by its address @full', async ({
  page,
}) => {
  await page.goto(`${culvert().origin}/traces/${largeId}?span=${spanId(0x5_0000 + 506)}`)
  await expect(page.getByRole('region', { name: 'Span', exact: true })).toContainText('SELECT 505')
  await expect(page.getByRole('row', { selected: true })).toContainText('SELECT 505')
  await expect(page.getByRole('row', { selected: true })).toBeInViewport()
})

test('rows that cannot be loaded are offered again @full', async ({ page, problems }) => {
  problems.expect(/503/)
  // Before hydration, the focus would request nothing.
  await openSettled(page, `${culvert().origin}/traces/${largeId}`)
  const rest = /isWhole/
  await page.route(rest, (route) => route.fulfill({ status: 503 }))
  await rowsOf(page).first().focus()
  await expect(page.getByRole('alert')).toContainText('could not be loaded')
  await page.unroute(rest)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(page.getByRole('treegrid')).toHaveAttribute('aria-busy', 'false')
})

test('a trace is found by its id in the palette, and where events are found @full', async ({ page }) => {
  await page.goto(`${culvert().origin}/digest/${largeId.toUpperCase()}`)
  await expect(page).toHaveURL(`${culvert().origin}/traces/${largeId}`)
  await page.goto(`${culvert().origin}/projects`)
  await page.getByRole('button', { name: 'Search or go to…' }).click()
  await page.getByRole('combobox', { name: 'Command palette' }).fill(largeId)
  await page.getByRole('option', { name: `Trace ${largeId}`, exact: true }).click()
  await expect(page).toHaveURL(`${culvert().origin}/traces/${largeId}`)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the rows of the first screen of a large trace are in the page', async ({ page }) => {
    await page.goto(`${culvert().origin}/traces/${largeId}`)
    await expect(rowsOf(page)).toHaveCount(60)
    await expect(page.getByRole('main')).toContainText('60 of 10,000 spans.')
  })
})
