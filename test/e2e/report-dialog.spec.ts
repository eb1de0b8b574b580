import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type BrowserApp, startBrowserApp } from './support/browser-app.ts'
import type { Project } from './support/culvert.ts'
import { expectAccessible } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let app: BrowserApp
let project: Project

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Storefront')
  app = await startBrowserApp({
    script: 'report-page.ts',
    headers: {
      // The strictest policy with which a page can load the SDK's dialog: no inline script or style, and
      // forms only by script.
      'content-security-policy': `default-src 'none'; script-src 'self' ${started.origin}; connect-src ${started.origin}; form-action 'none'; base-uri 'none'`,
      'cross-origin-embedder-policy': 'require-corp',
    },
  })
})

test.afterAll(() => app.close())

test.beforeEach(({ problems }) => problems.expect(/The card reader is on fire/))

/** Causes an error in a page of the shop, and returns the id of its event. */
async function fail(page: Page, { dsn }: Project, options: object = {}): Promise<string> {
  await page.goto(app.address(dsn, '7', { options: JSON.stringify(options) }))
  const sent = page.waitForRequest((request) => request.postData()?.includes('"type":"event"') === true)
  await page.getByRole('button', { name: 'Pay' }).click()
  return /"event_id":"([0-9a-f]{32})"/.exec((await sent).postData() ?? '')?.[1] ?? ''
}

const dialogOf = (page: Page) => page.getByRole('dialog')

test('a visitor sends feedback, and the event shows it', async ({ page }) => {
  const eventId = await fail(page, project)
  const dialog = dialogOf(page)
  await expect(dialog).toHaveAccessibleName('It looks like we’re having issues.')
  await expect(page).toHaveTitle('The dialog is loaded')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Jane Doe')
  await page.keyboard.press('Tab')
  await page.keyboard.type('jane@shop.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('I pressed Pay & it <b>burned</b> + 100%')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status')).toHaveText('Your report has been sent. Thank you!')
  await expect(dialog.getByRole('status')).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveTitle('The dialog is closed')

  await page.goto(`${culvert().origin}/events/${eventId}`)
  const feedback = page.getByRole('region', { name: 'Feedback' })
  await expect(feedback).toContainText('I pressed Pay & it <b>burned</b> + 100%')
  await expect(feedback).toContainText('Jane Doe')
  await expect(feedback).toContainText('jane@shop.example')
})

test('traps the keyboard focus and returns it on Escape @full', async ({ page }) => {
  await fail(page, project)
  const dialog = dialogOf(page)
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('jk')
  const focused = () =>
    page.evaluate(() => {
      const host = document.activeElement
      return host?.shadowRoot?.activeElement?.textContent ?? host?.tagName ?? ''
    })
  const seen = new Set<string>()
  for (let count = 0; count < 8; count += 1) {
    await page.keyboard.press('Tab')
    seen.add(await focused())
  }
  expect([...seen]).toContain('Close')
  expect([...seen]).not.toContain('Pay')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveTitle('The dialog is closed')
  await expect(page.getByRole('button', { name: 'Pay' })).toBeFocused()
  const pressed = () => page.evaluate(() => document.body.dataset['pressed'] ?? '')
  // Between its last and its first field the dialog leaves the Tab key to the browser.
  expect((await pressed()).replaceAll('Tab', '').trim()).toBe('')
  await page.keyboard.press('j')
  expect(await pressed()).toMatch(/j$/)
})

test('is accessible in every look, with an error too', async ({ page }) => {
  await fail(page, project)
  const dialog = dialogOf(page)
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Email').fill('jane')
  await dialog.getByRole('button', { name: 'Submit crash report' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Some fields were invalid. Please correct them and try again.',
  )
  await expect(dialog.getByLabel('Email')).toBeFocused()
  await expect(dialog.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('What happened?')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 480 })
  const isInside = await dialog.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight
  })
  expect(isInside).toBe(true)
})

test('shows the texts and the visitor of the SDK’s options as text @full', async ({ page }) => {
  const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>"\'`${alert(1)}\u2028*/'
  await fail(page, project, {
    lang: 'de-AT',
    title: hostile,
    subtitle2: undefined,
    labelName: hostile,
    labelSubmit: 'Ab <b>damit</b>',
    user: { name: hostile, email: 'jane@shop.example' },
    __proto__: 'x',
    dialog: hostile,
  })
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('heading')).toHaveText(hostile)
  await expect(dialog.getByRole('textbox').first()).toHaveValue(hostile)
  await expect(dialog.getByLabel('E-Mail')).toHaveValue('jane@shop.example')
  await expect(dialog.getByLabel('Was ist passiert?')).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Ab <b>damit</b>' })).toBeVisible()
  await expect(dialog).toHaveAttribute('lang', 'de')
  expect(await dialog.locator('img, script').count()).toBe(0)
})

test('keeps the entered text while the project is rate-limited @full', async ({ page, problems }) => {
  problems.expect(/status of 429/)
  const limited = await culvert().createProject('Limited')
  await culvert().run('limits', 'set', limited.slug, '--per-key', 'feedback=0/min')
  await fail(page, limited)
  const dialog = dialogOf(page)
  await dialog.getByLabel('What happened?').fill('It burned')
  await dialog.getByRole('button', { name: 'Submit crash report' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Your report could not be sent. Please try again in a minute.',
  )
  await expect(dialog.getByLabel('What happened?')).toHaveValue('It burned')
})

test('opens only on pages that the project lists @full', async ({ page, problems }) => {
  problems.expect(/status of 403|Refused to execute script/)
  const strict = await culvert().createProject('Strict')
  await culvert().run('limits', 'set', strict.slug, '--origin', 'https://shop.example')
  const answered = page.waitForResponse((response) => response.url().includes('/api/embed/error-page/'))
  await fail(page, strict)
  expect((await answered).status()).toBe(403)
  await expect(dialogOf(page)).toBeHidden()
})

for (const sdk of ['@sentry/browser', 'browser-sdk-11']) {
  test(`works as documented, with ${sdk}`, async ({ page, problems }) => {
    problems.expect(/The page is on fire/)
    const document = readFileSync(join(import.meta.dirname, '../../docs/report-dialog.md'), 'utf8')
    const [, code = ''] = /```js\n([^]*?)```/.exec(document) ?? []
    const [, policy = ''] = /Content-Security-Policy: (.*)/.exec(document) ?? []
    const documented = await startBrowserApp({
      script: {
        code: code.replace('https://KEY@culvert.example/2', project.dsn).replace('@sentry/browser', sdk),
      },
      headers: { 'content-security-policy': policy.replaceAll('https://culvert.example', culvert().origin) },
    })
    await page.goto(documented.address(project.dsn, '7'))
    await page.evaluate(() => void Promise.reject(new Error('The page is on fire')))
    const dialog = dialogOf(page)
    await dialog.getByLabel('What happened?').fill('It burned')
    await dialog.getByRole('button', { name: 'Submit crash report' }).click()
    await expect(dialog.getByRole('status')).toHaveText('Your report has been sent. Thank you!')
    await documented.close()
  })
}
