import type { Page } from '@playwright/test'
import { makeNodeTransport, NodeClient, defaultStackParser } from '@sentry/node'
import type { FakeUpstream } from '#test/fake-upstream.ts'
import { answerPages, sentryPages, startTracker, trackerToken } from '#test/trackers.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { readServedPage } from './support/served-page.ts'
import { expect, onePageTest as test, serveCulvert } from './support/test.ts'

/** The cut-over of docs/moving.md, step by step, from a Sentry that keeps running. */

let sentry: FakeUpstream
const shopKey = '1111c3d4e5f60718293a4b5c6d7e8f90'

const culvert = serveCulvert(undefined, {
  variables: { CULVERT_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1', CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' },
})
test.beforeAll(async () => {
  sentry = await startTracker({})
  sentry.behave(
    answerPages(sentryPages, (response, { url }) => {
      if (!url.startsWith('/api/4711/envelope/')) return false
      response.end('{}')
      return true
    }),
  )
})
test.afterAll(() => sentry.close())

/** The events that the old tracker received. */
const received = () =>
  sentry.requests.filter(({ method }) => method === 'POST').map(({ body }) => String(body))

async function send(message: string): Promise<void> {
  const client = new NodeClient({
    dsn: `http://${shopKey}@${new URL(culvert().origin).host}/4711`,
    transport: makeNodeTransport,
    stackParser: defaultStackParser,
    integrations: [],
  })
  client.captureMessage(message)
  expect(await client.flush(10_000)).toBe(true)
  await client.close()
}

/** Waits for a heading of the page of imports, and opens it: the import runs in the background. */
async function expectState(page: Page, state: string): Promise<void> {
  const url = `${culvert().origin}/settings/import`
  await expect.poll(() => readServedPage(page, url)).toContain(`>${state}</h2>`)
  await page.goto(url)
  await expect(page.getByRole('heading', { name: state, exact: true })).toBeVisible()
}

async function readTracker(page: Page, token: string): Promise<void> {
  await page.goto(`${culvert().origin}/settings/import`)
  const panel = page.getByRole('region', { name: 'From a running tracker' })
  await panel.getByLabel('URL').fill(`http://${sentry.address}`)
  await panel.getByLabel('Token').fill(token)
  await panel.getByRole('button', { name: 'Create report' }).click()
  await expect(panel).toBeHidden()
}

/** Confirms the report, and waits until the import has started. */
async function apply(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Ready: nothing is changed yet' })).toBeHidden()
}

/** Waits until the steps on the page of imports have these states, and opens it. */
async function expectSteps(page: Page, ...states: string[]): Promise<void> {
  const url = `${culvert().origin}/settings/import`
  const readStates = async () =>
    [...(await readServedPage(page, url)).matchAll(/<li data-state="(\w+)">/g)].map(([, state]) => state)
  await expect.poll(readStates).toEqual(states.map((state) => state.toLowerCase()))
  await page.goto(url)
  const steps = page.getByRole('region', { name: 'Cut-over' }).getByRole('heading', { level: 3 })
  await expect(steps).toHaveText(states.map((state) => new RegExp(` ${state}$`)))
}

test('a team moves in: import, forward, send to the old DSN, compare, stop the old one @full', async ({
  page,
}) => {
  const { origin } = culvert()
  await expectSteps(page, 'Next', 'Later', 'Later', 'Later', 'Later')
  await expectGoodLayout(page)
  await readTracker(page, 'wrong')
  await expectState(page, 'Failed')
  await expect(page.getByRole('alert')).toContainText('rejects the token (401)')
  await expectGoodLayout(page)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('heading', { name: 'Failed' })).toBeHidden()

  await readTracker(page, trackerToken)
  await expectState(page, 'Ready: nothing is changed yet')
  await expectGoodLayout(page)
  await apply(page)
  await expectState(page, 'Done')
  await expect(page.getByRole('region', { name: 'Compared counts' })).toContainText('Payment failed')
  await expectGoodLayout(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('heading', { name: 'Done', exact: true })).toBeHidden()
  await expectSteps(page, 'Done', 'Next', 'Later', 'Later', 'Later')

  await page.getByRole('link', { name: 'add an upstream' }).click()
  await page.getByLabel('DSN').fill(`http://${shopKey}@${sentry.address}/4711`)
  await page.getByRole('button', { name: 'Add upstream' }).click()
  await expect(
    page.getByRole('heading', { name: new URL(`http://${sentry.address}`).hostname }),
  ).toBeVisible()

  await send('after the move')
  await page.goto(`${origin}/issues?project=shop`)
  await expect(page.getByRole('link', { name: 'after the move' })).toBeVisible()
  await expect.poll(() => received().join()).toContain('after the move')
  await expectSteps(page, 'Done', 'Done', 'Done', 'Next', 'Later')
  await expectGoodLayout(page)

  await readTracker(page, trackerToken)
  await expectState(page, 'Ready: nothing is changed yet')
  await apply(page)
  await expectState(page, 'Done')
  const compared = page.getByRole('region', { name: 'Compared counts' })
  await expect(compared.getByRole('listitem').filter({ hasText: 'Payment failed' })).toContainText('1,240')
  await expectSteps(page, 'Done', 'Done', 'Done', 'Done', 'Ready')

  await page.goto(`${origin}/projects/shop/upstreams`)
  await page.getByText('Remove…').click()
  await expect(page.getByText('New events are no longer forwarded to it')).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No forwarding set up.', { exact: false })).toBeVisible()
  await expectSteps(page, 'Done', 'Off', 'Done', 'Done', 'Done')
  await send('only here')
  await page.goto(`${origin}/issues?project=shop`)
  await expect(page.getByRole('link', { name: 'only here' })).toBeVisible()
  expect(received().join()).not.toContain('only here')
})
