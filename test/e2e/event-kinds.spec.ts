import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { serveLocally } from '#test/listen-locally.ts'
import type { Project } from './support/culvert.ts'
import { cspReport, fullEvent, sendEvent, sendItems, sendReport } from './support/events.ts'
import { readServedPage } from './support/served-page.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const page = '<script>document.title = "owned"</script>'

const secretsId = 'e'.repeat(32)
const eventWithSecrets = {
  ...fullEvent('LoginError'),
  fingerprint: ['login'],
  exception: {
    values: [
      {
        type: 'LoginError',
        value: 'password=hunter2 of card 4111 1111 1111 1111 was refused',
        stacktrace: {
          frames: [
            {
              function: 'login',
              filename: 'login.ts',
              lineno: 12,
              in_app: true,
              context_line: "  const apiKey = 'AKIAIOSFODNN7EXAMPLE'",
              vars: { token: 'abc', user: { name: 'jo', secret: 'x' } },
            },
          ],
        },
      },
    ],
  },
  request: {
    url: 'https://shop.example/login?token=abc',
    headers: { Authorization: 'Bearer abc', Cookie: 'sid=abc; theme=dark', Accept: '*/*' },
  },
}

let eventId = ''
let feedbackId = ''

let project: Project

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Shop')
  eventId = await sendEvent(project, fullEvent('PaymentError'))
  await sendItems(project, eventId, [
    [{ type: 'attachment', filename: 'shot.png', content_type: 'image/png' }, picture],
    [{ type: 'attachment', filename: '../<b>page</b>.html', content_type: 'text/html' }, page],
    [
      { type: 'user_report' },
      { name: 'Jane', email: 'jane@example.com', comments: '<b>It</b> ate my order' },
    ],
  ])
  feedbackId = 'f'.repeat(32)
  const feedback = { message: 'The button\ndoes nothing', name: 'Jo', associated_event_id: eventId }
  await sendItems(project, feedbackId, [[{ type: 'feedback' }, { contexts: { feedback } }]])
  await sendReport(project, cspReport)
  await sendEvent(project, eventWithSecrets, secretsId)
})

test('an event shows its feedback and its files, which are downloaded, not opened', async ({ page: tab }) => {
  await tab.goto(`${culvert().origin}/events/${eventId}`)
  const feedback = tab.getByRole('region', { name: 'User feedback' })
  await expect(feedback.getByRole('listitem')).toHaveCount(2)
  await expect(feedback).toContainText('<b>It</b> ate my order')
  const files = tab.getByRole('region', { name: 'Attachments' })
  await expect(files.getByRole('listitem')).toHaveText([/shot\.png.*70 bytes/, /<b>page<\/b>\.html/])
  const saved = tab.waitForEvent('download')
  await files.getByRole('link', { name: 'page' }).click()
  const download = await saved
  expect(readFileSync(await download.path(), 'utf8')).toBe(page)
  expect(download.suggestedFilename()).not.toContain('/')
  const savedEvent = tab.waitForEvent('download')
  await tab.getByText('Export', { exact: true }).click()
  await tab.getByRole('link', { name: 'Download JSON' }).click()
  expect((await savedEvent).suggestedFilename()).toBe(`event-${eventId}.json`)
  await expect(tab).toHaveTitle(/PaymentError/)
})

test('scrubbed values of an event are marked, and listed with places and rules', async ({ page: tab }) => {
  await tab.goto(`${culvert().origin}/events/${secretsId}`)
  const value = 'password=[Filtered] of card [creditcard] was refused'
  await expect(tab.getByText(value).first()).toBeVisible()
  const marks = tab.getByRole('region', { name: 'Exception' }).locator('mark')
  await expect(marks.filter({ hasText: '[creditcard]' })).toHaveAttribute(
    'title',
    'Scrubbed: payment card number',
  )
  const note = tab.getByRole('complementary', { name: 'Scrubbed values' })
  await note.getByText(/^\d+ values scrubbed/).click()
  await expect(note).toContainText('request.headers.Authorization')
  await expect(note).toContainText('sensitive field name')
  await expect(tab.locator('body')).not.toContainText('hunter2')
})

test('feedback links to the event it is about, and back', async ({ page: tab }) => {
  await tab.goto(`${culvert().origin}/events/${feedbackId}`)
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText('The button')
  await tab.getByRole('link', { name: eventId, exact: true }).click()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText('PaymentError')
  const entry = tab.getByRole('listitem').filter({ hasText: 'does nothing' })
  await entry.getByRole('link', { name: 'View feedback event' }).click()
  await expect(tab).toHaveURL(new RegExp(feedbackId))
})

test('a violated policy shows what was blocked, the location, and the policy @full', async ({
  page: tab,
}) => {
  await tab.goto(`${culvert().origin}/issues`)
  await tab.getByRole('link', { name: "Blocked 'script' from 'cdn.evil.example'" }).click()
  const report = tab.getByRole('region', { name: 'Report' })
  await expect(report).toContainText('https://shop.example/app.js:24:7')
  await expect(report.getByRole('listitem')).toHaveText([
    "default-src 'self'",
    "script-src 'self' https://cdn.example",
    'report-uri /csp',
  ])
})

test('a browser reports what a policy blocked @full', async ({ page: tab, problems }) => {
  problems.expect(/violates the following Content Security Policy directive/)
  const { username } = new URL(project.dsn)
  const reportUri = `${culvert().origin}/api/${project.id}/security/?sentry_key=${username}&sentry_release=site%401`
  // A real page: one that Playwright fulfils has no address space, and may not send reports to loopback.
  const pages = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.setHeader('content-security-policy', `script-src 'none'; report-uri ${reportUri}`)
    response.end('<!doctype html><title>Site</title><script src="https://ads.example/a.js?user=7"></script>')
  })
  const site = await serveLocally(pages)
  const reported = tab.waitForRequest(reportUri)
  await tab.goto(site.origin)
  await reported
  const issues = `${culvert().origin}/issues`
  await expect.poll(() => readServedPage(tab, issues)).toContain('ads.example')
  await tab.goto(issues)
  await expect(tab.getByRole('link', { name: "Blocked 'script' from 'ads.example'" })).toBeVisible()
  // Wait before leaving the page, or its icon request is aborted.
  await site.close()
})

test('the other events of a trace are listed by their titles @full', async ({ page: tab }) => {
  const traceId = 'c0ffee'.repeat(6).slice(0, 32)
  const contexts = { trace: { trace_id: traceId, span_id: 'b'.repeat(16) } }
  const error = (value: string) => ({
    contexts,
    exception: { values: [{ type: 'Error', value }] },
    fingerprint: [value],
  })
  const first = await sendEvent(project, error('The cart is locked'))
  await sendEvent(project, error('No price for LAMP-01'))
  await tab.goto(`${culvert().origin}/events/${first}`)
  const trace = tab.getByRole('region', { name: 'Trace' })
  await expect(trace.getByRole('link', { name: 'Error: No price for LAMP-01' })).toBeVisible()
})
