import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { serveLocally, type LocalServer } from '#test/listen-locally.ts'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent } from './support/events.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { readServedPage } from './support/served-page.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let project: Project
let receiver: LocalServer
const bodies: string[] = []
let status = 200

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Shop')
})

test.describe.configure({ mode: 'serial', timeout: 120_000 })

test.beforeAll(async () => {
  receiver = await serveLocally(createServer((request, response) => void take(request, response)))
})
test.afterAll(() => receiver.close())

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  bodies.push(await readText(request))
  response.statusCode = status
  response.end('noted')
}

const hookUrl = () => `${receiver.origin}/hook`

test('a screen without destinations names the next step; invalid settings show errors', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/settings/destinations`)
  await expect(page.getByText('No destinations yet.')).toBeVisible()
  await page.getByRole('link', { name: 'Webhook', exact: true }).click()
  await expect(page.getByLabel('URL')).toBeVisible()
  await page.getByLabel('Name').fill('#ops')
  await page.getByLabel('URL').fill('https://user@example.com/hook')
  await page.getByLabel('Template').fill('{"text": {{title}}}')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('has no user name in it')).toBeVisible()
  await expect(page.getByText(/^The template is not valid JSON/)).toBeVisible()
  await expectGoodLayout(page)
})

test('a destination is added, and a test shows the receiver’s answer', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/settings/destinations?channel=webhook`)
  await page.getByLabel('Name').fill('#ops')
  await page.getByLabel('URL').fill(hookUrl())
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('Webhook, not used by a rule')).toBeVisible()
  await page.getByRole('button', { name: 'Send test to #ops' }).click()
  await expect(page.locator('.notice')).toContainText('Response: 200 noted')
  expect(bodies[0]).toContain('"type":"alerts.test"')
  await expectGoodLayout(page)
})

test('a rule with the destination sends a new issue there', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/projects/${project.slug}/alerts`)
  const panel = page.getByRole('region', { name: 'Add rule' })
  await panel.getByLabel('Name').fill('Ops')
  await panel.getByLabel('It is new').check()
  await panel.getByLabel('#ops').check()
  await panel.getByRole('button', { name: 'Add rule' }).click()
  await expect(page.locator('#rules').getByText(/^When an issue .*#ops/)).toBeVisible()
  await sendEvent(project, fullEvent('CheckoutError'))
  await expect.poll(() => bodies.at(-1)).toContain('CheckoutError')
  await page.goto(`${culvert().origin}/settings/destinations`)
  await expect(page.getByText('Webhook, used by the rule Ops')).toBeVisible()
})

test('the issue page shows who was notified and when', async ({ page }) => {
  const [, url = ''] = /"url":"([^"]+\/issues\/\d+)"/.exec(bodies.at(-1) ?? '') ?? []
  await page.goto(url)
  const fact = page.getByRole('region', { name: 'Trend' }).getByRole('link', { name: /^#ops/ })
  await expect(fact).toHaveText(/^#ops (just now|\d+ )/)
  await expectGoodLayout(page)
  await fact.click()
  await expect(page).toHaveURL(/\/alerts$/)
  await waitUntilSettled(page)
  const sent = page.getByRole('region', { name: 'Decisions' })
  await sent.getByText('1 attempt', { exact: true }).click()
  await expect(sent).toContainText(/200 after \d+ ms noted/)
  await expectGoodLayout(page)
})

test('without a session the link of a message leads to its mute after the sign-in', async ({ page }) => {
  const user = { email: 'link@example.com', password: 'a password for tests' }
  await culvert().createUser(user.email, user.password, 'admin')
  const [, url = ''] = /"mute":"([^"]+)"/.exec(bodies.at(-1) ?? '') ?? []
  await page.context().clearCookies()
  await page.goto(url)
  await expect(page.getByLabel('Password')).toBeVisible()
  await waitUntilSettled(page)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const rule = page
    .locator('#rules')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Ops' }) })
  await expect(rule.getByLabel('Reason')).toBeVisible()
  // Neither the link nor the sign-in mutes: a scanner of links may open both.
  await expect(rule).not.toContainText('muted until')
})

test('the link of a message mutes its rule', async ({ page }) => {
  const [, url = ''] = /"mute":"([^"]+)"/.exec(bodies.at(-1) ?? '') ?? []
  await page.goto(url)
  const rule = page
    .locator('#rules')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Ops' }) })
  await expect(rule.getByLabel('Reason')).toBeVisible()
  await rule.getByLabel('Reason').fill('Known')
  await rule.getByRole('button', { name: 'Mute Ops now' }).click()
  await expect(rule).toContainText('muted until')
  await rule.getByRole('button', { name: 'End mute of Ops' }).click()
  await expect(rule).not.toContainText('muted until')
})

test('a failing destination is a banner on every page, until it is disabled @full', async ({ page }) => {
  status = 500
  await sendEvent(project, fullEvent('PaymentError'))
  const banner = page.locator('.banner')
  const address = `${culvert().origin}/releases`
  // Once it has failed several times, at growing intervals.
  await expect
    .poll(() => readServedPage(page, address), { timeout: 90_000 })
    .toContain('Alerts do not arrive')
  await page.goto(address)
  await expect(banner).toContainText('Alerts do not arrive at #ops.')
  await expectGoodLayout(page)
  await openSettled(page, `${culvert().origin}/alerts`)
  const ofRule = page.getByRole('listitem').filter({ hasText: 'by the rule Ops' })
  const decision = ofRule.filter({ hasText: 'PaymentError' })
  await decision.getByText(/^\d+ attempts?$/).click()
  await expect(decision).toContainText(/#ops .*: 500 after \d+ ms/)
  await expectGoodLayout(page)
  await banner.getByRole('link').click()
  await expect(page.getByText(/^Failing since/)).toBeVisible()
})

test('a disabled destination is marked, and a deleted one is not listed', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/settings/destinations`)
  await page.getByRole('button', { name: 'Disable #ops' }).click()
  await expect(page.getByText('Disabled by an admin.')).toBeVisible()
  await page.reload()
  await expect(page.locator('.banner')).toHaveCount(0)
  await page.locator('summary[aria-label="Delete #ops…"]').click()
  await page.getByRole('button', { name: 'Delete #ops' }).click()
  await expect(page.getByText('No destinations yet.')).toBeVisible()
})
