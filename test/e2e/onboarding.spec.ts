import * as Sentry from '@sentry/node'
import type { Project } from './support/culvert.ts'
import { sendEvent, sendTransaction } from './support/events.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let waiting: Project

const culvert = shareCulvert(async (started) => {
  waiting = await started.createProject('Waiting Shop')
})

test(
  'the setup page of a new project updates itself when an SDK sends the first event',
  { tag: '@postgres' },
  async ({ page }) => {
    await page.goto(`${culvert().origin}/projects`)
    await page.getByRole('link', { name: 'New project' }).click()
    await page.getByLabel('Name').fill('Turning Shop')
    await page.getByLabel('Platform').selectOption('node')
    await page.getByRole('button', { name: 'Create project' }).click()
    await expect(page).toHaveURL(/\/projects\/turning-shop\/setup/)
    await expect(page.getByText('Waiting for the first event')).toBeVisible()

    Sentry.init({ dsn: (await page.locator('.dsn-line code').textContent()) ?? '' })
    Sentry.captureException(new Error('the first one'))
    await Sentry.close(5_000)

    await expect(page.getByText('Receiving events.')).toBeVisible()
    await expect(page.getByText('Waiting for the first event')).toBeHidden()
    await page.getByRole('link', { name: 'Error: the first one' }).click()
    await expect(page).toHaveURL(/\/issues\/\d+/)
    await page.goto(`${culvert().origin}/projects`)
    await page.getByRole('heading', { name: 'Turning Shop' }).getByRole('link').click()
    await expect(page).toHaveURL(/\/issues\?.*project=turning-shop/)
  },
)

test('before the first event, the setup and the empty list name why items were dropped @full', async ({
  page,
}) => {
  const { host } = new URL(waiting.dsn)
  const { origin } = culvert()
  await page.goto(`${origin}/projects`)
  await page.getByRole('heading', { name: 'Waiting Shop' }).getByRole('link').click()
  await expect(page).toHaveURL(`${origin}/projects/${waiting.slug}/setup`)
  const first = page.getByRole('region', { name: 'First event' })
  await expect(first).toContainText('Waiting for the first event')
  await expect(first).toHaveText(/^Waiting for the first event…\s*Refresh$/)

  await sendEvent(waiting, {
    exception: {
      values: [{ type: 'Error', value: 'ResizeObserver loop completed with undelivered notifications.' }],
    },
    platform: 'javascript',
  })
  await sendTransaction(waiting, {
    transaction: 'GET /cart',
    contexts: { trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), op: 'http.server' } },
    spans: [],
  })
  const wrong = `http://${'f'.repeat(32)}@${host}/${waiting.id}`
  for (let count = 0; count < 2; count += 1) {
    Sentry.init({ dsn: wrong })
    Sentry.captureException(new Error('with a wrong key'))
    await Sentry.close(5_000)
  }
  // The page reloads its data by itself.
  await expect(first).toContainText('1 event arrived and was dropped by the filter ignored-error')
  await expect(first).toContainText('1 transaction arrived: the SDK is connected')
  await expect(page.getByRole('region', { name: 'Rejected requests' })).toContainText(
    '2 requests with an unknown or disabled key',
  )
  await expect(first).toContainText('Waiting for the first event')

  await page.goto(`${origin}/issues?project=${waiting.slug}`)
  const empty = page.getByRole('region', { name: 'No events stored yet' })
  await expect(empty).toContainText('1 event arrived and was dropped by the filter ignored-error')
  await expect(empty).toContainText('2 requests with an unknown or disabled key')
  await empty.getByRole('link', { name: 'Set up an SDK' }).click()
  await expect(page).toHaveURL(`${origin}/projects/${waiting.slug}/setup`)
})
