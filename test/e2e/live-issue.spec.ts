import type { Page } from '@playwright/test'
import { limits } from '#server/limits.ts'
import { cookieOf } from '#test/session.ts'
import { appConfig } from '../../app.config.ts'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent } from './support/events.ts'
import { openSettled, waitUntilSettled } from './support/hydration.ts'
import { findIssuePath } from './support/issue-path.ts'
import { expectAccessible } from './support/layout-checks.ts'
import { expect, shareCulvert, test } from './support/test.ts'

let shop: Project
let colleagueCookie = ''
const colleague = { name: 'Grace', email: 'grace@example.com', password: 'another password' }
const culvert = shareCulvert(async (started) => {
  shop = await started.createProject('Shop')
  await started.createUser(colleague.email, colleague.password, 'admin')
  colleagueCookie = await cookieOf(started.origin, colleague)
})

function send(name: string, userId: string, occurredAt = Date.now()): Promise<string> {
  const event = { ...fullEvent(name), fingerprint: [name], user: { id: userId } }
  return sendEvent(shop, { ...event, timestamp: occurredAt / 1000 })
}

/** The value of a fact about the issue. */
const fact = (page: Page, term: string) =>
  page.locator('.detail-facts dl > div').filter({ hasText: term }).locator('dd')

const latest = (page: Page) =>
  page.getByRole('navigation', { name: 'Events of this issue' }).getByRole('link', { name: 'Latest' })

/** A colleague submits a form about an issue, in another browser. */
async function changeElsewhere(action: string, fields: Record<string, string>): Promise<void> {
  const { origin } = culvert()
  const response = await fetch(`${origin}/actions/${action}`, {
    method: 'POST',
    headers: { cookie: colleagueCookie, origin },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  expect(response.status).toBe(303)
}

const marks = (page: Page) => page.locator('.issue-header-marks')
const status = (page: Page) => page.locator('.issue-header-marks .badge')

/** The id of the issue of an event. */
async function findIssueId(eventId: string): Promise<string> {
  return (await findIssuePath(culvert(), eventId)).replace('/issues/', '')
}

/** Opens the issue of an event. Returns its id. */
async function openIssue(page: Page, eventId: string): Promise<string> {
  const issueId = await findIssueId(eventId)
  await openSettled(page, `${culvert().origin}/issues/${issueId}`)
  return issueId
}

test('an open issue page counts new events, and keeps the event that it shows', async ({ page }) => {
  const occurredAt = Date.now()
  const eventId = await send('CardError', 'ada', occurredAt)
  await page.clock.install()
  await openIssue(page, eventId)
  await expect(fact(page, 'Events')).toHaveText('1')
  const frame = page.getByRole('heading', { name: 'Exception' })
  const place = await frame.boundingBox()
  // In the same hour, of which the trend shows the count.
  const latestId = await send('CardError', 'ben', occurredAt + 1)
  await page.clock.fastForward(appConfig.liveIssueMs)
  await expect(fact(page, 'Events')).toHaveText('2')
  await expect(fact(page, 'Users')).toHaveText('2')
  await expect(page.locator('.trend-scale')).toContainText('peak 2')
  await expect(page.locator('.event-bar')).toContainText('1 of 2')
  await expect(page.locator('.event-id')).toContainText(eventId)
  await expect(latest(page)).toHaveAttribute('href', `/events/${latestId}`)
  expect(await frame.boundingBox()).toEqual(place)
})

test('an issue page keeps its event when its own change reloads it @full', async ({ page }) => {
  const eventId = await send('TaxError', 'ada')
  await openIssue(page, eventId)
  await send('TaxError', 'ben')
  await page.getByRole('textbox', { name: 'Comment' }).fill('Looking into it')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.locator('.activity').getByText('Looking into it').first()).toBeVisible()
  await expect(fact(page, 'Events')).toHaveText('2')
  await expect(page.locator('.event-id')).toContainText(eventId)
  await expect(latest(page)).toBeVisible()
})

test("an issue page shows a colleague's changes without moving the focus @full", async ({ page }) => {
  const eventId = await send('CartError', 'ada')
  await page.clock.install()
  const issueIds = await openIssue(page, eventId)
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.fill('A draft')
  await send('CartError', 'ben')
  await changeElsewhere('issue-status', { issueIds, status: 'archived' })
  await page.clock.fastForward(appConfig.liveIssueMs)
  await expect(status(page)).toHaveText('archived')
  await expect(page.locator('.activity')).toContainText(`${colleague.email} archived`)
  await changeElsewhere('issue-assignee', { issueIds, assignee: 'me' })
  await page.clock.fastForward(appConfig.liveIssueMs)
  await expect(marks(page)).toContainText(`Assigned to ${colleague.email}`)
  await changeElsewhere('issue-comment', { issueId: issueIds, text: 'On it' })
  await page.clock.fastForward(appConfig.liveIssueMs)
  await expect(page.locator('.activity')).toContainText('On it')
  await expect(page.locator('.event-id')).toContainText(eventId)
  await expect(comment).toBeFocused()
  await expect(comment).toHaveValue('A draft')
})

const ended = (page: Page) => page.locator('.issue-header').getByRole('status')

test('an open page says that a colleague has deleted its issue, and keeps a draft and an edit @full', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 404/)
  const eventId = await send('GoneError', 'ada')
  await page.clock.install()
  const issueIds = await openIssue(page, eventId)
  const comments = page.locator('.activity li[data-kind="comment"]')
  for (const text of ['Changed', 'Unchanged', 'Cancelled']) {
    await page.locator('.new-comment textarea').fill(text)
    await page.keyboard.press('Control+Enter')
    const comment = comments.filter({ hasText: text })
    await comment.getByText('Edit', { exact: true }).click()
  }
  await comments.nth(0).getByRole('textbox').fill('An edit')
  await comments.nth(2).getByRole('textbox').fill('An edit that ends')
  await comments.nth(2).getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.new-comment textarea').fill('A draft')
  await changeElsewhere('issue-deletion', { issueIds, discards: 'no' })
  await page.clock.fastForward(appConfig.liveIssueMs)
  await expect(ended(page)).toHaveText(/^This issue was deleted, or you no longer have access/)
  await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toHaveCount(0)
  const draft = page.getByRole('textbox', { name: 'Your comment was not posted' })
  await expect(draft).toHaveValue('A draft')
  const edits = page.getByRole('textbox', { name: 'Your edit was not saved' })
  await expect(edits).toHaveCount(1)
  await expect(comments.nth(0).getByRole('textbox')).toHaveValue('An edit')
  const activity = await page.locator('#activity').boundingBox()
  expect((await draft.boundingBox())?.width).toBe(activity?.width)
  await expect(ended(page).locator('p')).toHaveCSS('margin-top', '12px')
  await expect(page.locator('.event-id')).toContainText(eventId)
  await ended(page).getByRole('link', { name: 'Go to the issues' }).click()
  await expect(page).toHaveURL(/\/issues$/)
})

test('a failed action on a merged issue leads to the other issue at once @full', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 4/)
  // Not by the next read at the interval, which never comes.
  await page.addInitScript((interval) => {
    const setAny = globalThis.setInterval
    globalThis.setInterval = ((run: () => void, ms: number) =>
      ms === interval ? 0 : setAny(run, ms)) as typeof setInterval
  }, appConfig.liveIssueMs)
  const intoId = await findIssueId(await send('IntoError', 'ada'))
  const issueIds = await openIssue(page, await send('FromError', 'ada'))
  await changeElsewhere('issue-merge', { issueIds: intoId, other: issueIds, intoId })
  await page.getByRole('button', { name: 'Resolve', exact: true }).click()
  await expect(page.locator('.notice')).toContainText('Couldn’t change the status. This no longer exists.')
  await expect(ended(page)).toHaveText(/^This issue was merged into SHOP-/)
  await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toHaveCount(0)
  await expect(ended(page).getByRole('link')).toBeFocused()
  await expectAccessible(page)
  await ended(page).getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/issues/${intoId}$`))
  await expect(ended(page)).toBeEmpty()
})

test('the pages of an event, of events and of tags say that a colleague has merged their issue @full', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 4/)
  const intoId = await findIssueId(await send('TargetError', 'ada'))
  const eventId = await send('PartError', 'ada')
  const issueIds = await findIssueId(eventId)
  const { origin } = culvert()
  await page.clock.install()
  const paths = [`/events/${eventId}`, `/issues/${issueIds}/events`, `/issues/${issueIds}/tags`]
  const pages = await Promise.all(
    paths.map(async (path) => {
      const opened = await page.context().newPage()
      await opened.goto(origin + path)
      await waitUntilSettled(opened)
      return opened
    }),
  )
  await changeElsewhere('issue-merge', { issueIds: intoId, other: issueIds, intoId })
  // The pages share a clock.
  await page.clock.fastForward(appConfig.liveIssueMs)
  for (const opened of pages) {
    await expect(ended(opened).getByRole('link')).toHaveAttribute('href', `/issues/${intoId}`)
    await opened.close()
  }
})

test('an event page whose event was deleted is reloaded once for each change of its issue @full', async ({
  page,
}) => {
  const eventId = await send('OldError', 'ada')
  await send('OldError', 'ben')
  await page.clock.install()
  await page.goto(`${culvert().origin}/events/${eventId}`)
  await waitUntilSettled(page)
  const issueIds = await findIssueId(eventId)
  culvert().execute(`DELETE FROM events WHERE event_id = x'${eventId}'`)
  await changeElsewhere('issue-status', { issueIds, status: 'resolved' })
  let requestCount = 0
  page.on('request', (request) => {
    if (request.url().includes('/_serverFn/')) requestCount += 1
  })
  await page.clock.fastForward(appConfig.liveIssueMs)
  // What has changed, the event, and whether its issue exists.
  await expect.poll(() => requestCount).toBeGreaterThanOrEqual(3)
  await waitUntilSettled(page)
  expect(requestCount).toBeLessThan(8)
  await expect(page.locator('.event-id')).toContainText(eventId)
})

test('a read does not replace a change that is being sent @full', async ({ page }) => {
  const eventId = await send('RaceError', 'ada')
  // The test starts the read, and the change waits for it on a busy machine, too.
  await page.addInitScript((interval) => {
    const setAny = globalThis.setInterval
    globalThis.setInterval = ((run: () => void, ms: number) => {
      if (ms !== interval) return setAny(run, ms)
      Object.assign(globalThis, { readIssue: run })
      return 0
    }) as typeof setInterval
    AbortSignal.timeout = () => new AbortController().signal
  }, appConfig.liveIssueMs)
  const issueIds = await openIssue(page, eventId)
  await page.waitForFunction(() => 'readIssue' in globalThis)
  const sending = Promise.withResolvers<void>()
  await page.route('**/_serverFn/**', async (route) => {
    if (route.request().method() === 'POST') await sending.promise
    await route.continue()
  })
  await changeElsewhere('issue-assignee', { issueIds, assignee: 'me' })
  await page.getByRole('button', { name: 'Resolve', exact: true }).click()
  await expect(status(page)).toHaveText('resolved')
  await page.evaluate('readIssue()')
  await expect(marks(page)).toContainText(`Assigned to ${colleague.email}`)
  await expect(status(page)).toHaveText('resolved')
  sending.resolve()
  await expect(page.locator('.notice')).toContainText('Resolved.')
  await expect(status(page)).toHaveText('resolved')
})

test("an event page shows newer events and a colleague's changes @full", async ({ page }) => {
  const eventId = await send('TimeError', 'ada')
  await page.clock.install()
  await page.goto(`${culvert().origin}/events/${eventId}`)
  await waitUntilSettled(page)
  const latestId = await send('TimeError', 'ben')
  await page.clock.fastForward(appConfig.liveIssueMs)
  await expect(latest(page)).toHaveAttribute('href', `/events/${latestId}`)
  await expect(fact(page, 'Events')).toHaveText('2')
  await changeElsewhere('issue-status', { issueIds: await findIssueId(eventId), status: 'resolved' })
  await page.clock.fastForward(appConfig.liveIssueMs)
  await expect(status(page)).toHaveText('resolved')
})

test('the list of events announces new ones; nothing moves; a click shows them @full', async ({ page }) => {
  const eventId = await send('ListError', 'ada')
  await page.clock.install()
  const issueIds = await openIssue(page, eventId)
  const sections = page.getByRole('navigation', { name: 'Issue sections' })
  await sections.getByRole('link', { name: 'Events' }).click()
  const rows = page.locator('.event-table tbody tr')
  const shown = page.getByRole('link', { name: eventId.slice(0, 8) })
  await expect(rows).toHaveCount(1)
  await waitUntilSettled(page)
  const place = await shown.boundingBox()
  await send('ListError', 'ben')
  const latestId = await send('ListError', 'cleo')
  await changeElsewhere('issue-status', { issueIds, status: 'resolved' })
  await page.clock.fastForward(appConfig.liveIssueMs)
  const news = page.locator('.new-rows')
  await expect(news).toHaveText('2 new events · Show')
  await expect(status(page)).toHaveText('resolved')
  await expect(rows).toHaveCount(1)
  expect(await shown.boundingBox()).toEqual(place)
  await page.keyboard.press('r')
  await expect(rows).toHaveCount(3)
  await expect(news).toBeEmpty()
  await expect(page.getByRole('link', { name: latestId.slice(0, 8) })).toBeFocused()

  await sections.getByRole('link', { name: 'Tags' }).click()
  await expect(rows).toHaveCount(0)
  const cleo = page.getByRole('row', { name: /cleo/ })
  await expect(cleo).toContainText('1')
  await waitUntilSettled(page)
  await send('ListError', 'cleo')
  await page.clock.fastForward(appConfig.liveIssueMs)
  await expect(cleo).toContainText('2')
})

test('more new events than a page are announced; a click shows the latest @full', async ({ page }) => {
  const eventId = await send('BusyError', 'ada')
  await page.clock.install()
  await openSettled(page, `${culvert().origin}/issues/${await findIssueId(eventId)}/events`)
  const users = Array.from({ length: limits.issueEventsPerPage }, (_, index) => `user-${index}`)
  await Promise.all([...users, 'ben', 'cleo'].map(async (userId) => send('BusyError', userId)))
  await page.clock.fastForward(appConfig.liveIssueMs)
  await expect(page.locator('.new-rows')).toHaveText(`${limits.issueEventsPerPage}+ new events · Show`)
  const latestId = await send('BusyError', 'dan')
  await page.clock.fastForward(appConfig.liveIssueMs)
  await page.keyboard.press('r')
  await expect(page.getByRole('link', { name: latestId.slice(0, 8) })).toBeFocused()
  await expect(page.locator('.new-rows')).toBeEmpty()
})

test("a list of issues shows a colleague's changes; the focus moves to the next row", async ({ page }) => {
  await send('FirstListed', 'ada')
  const issueIds = await findIssueId(await send('SecondListed', 'ada'))
  await page.clock.install()
  await page.goto(`${culvert().origin}/issues?q=Listed`)
  const row = page.getByRole('link', { name: /^SecondListed / })
  await row.focus()
  await waitUntilSettled(page)
  await changeElsewhere('issue-status', { issueIds, status: 'resolved' })
  await page.clock.fastForward(appConfig.liveListMs)
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^FirstListed / })).toBeFocused()
})
