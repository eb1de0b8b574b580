import type { Page } from '@playwright/test'
import { expectThroughout } from '#test/waiting.ts'
import type { Project } from './support/culvert.ts'
import { sendEvent, sendIssues } from './support/events.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { findIssuePath } from './support/issue-path.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let shop: Project
let eventIds: string[] = []

const culvert = shareCulvert(async (started) => {
  shop = await started.createProject('Shop')
  // Opening an issue would mark its items of the inbox as read, which is one more change.
  started.execute('DELETE FROM alert_rules')
  eventIds = await sendIssues(shop, 12)
})

/** The URL of `Trouble 1`, for example. */
async function findIssue(number: number): Promise<string> {
  return culvert().origin + (await findIssuePath(culvert(), eventIds[number - 1]))
}

async function openInAnotherTab(page: Page, url: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(url)
  await waitUntilSettled(tab)
  return tab
}

interface Call {
  method: string
  /** The part of the payload that identifies a screen's reads. */
  payload: string
}

/** Records each server function call of a page from now on. */
function watchCalls(page: Page): Call[] {
  const calls: Call[] = []
  page.on('request', (request) => {
    if (!request.url().includes('/_serverFn/')) return
    const payload = request.postData() ?? new URL(request.url()).searchParams.get('payload') ?? ''
    // An opened issue marks its items of the inbox as read, at any time after the page is shown.
    if (payload.includes('/actions/inbox')) return
    // An open page of an issue reads at an interval what has changed.
    if (payload.includes('"k":["issueId","eventId"]')) return
    calls.push({ method: request.method(), payload })
  })
  return calls
}

const status = (page: Page) => page.locator('.issue-header .badge')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const notice = (page: Page) => page.locator('.notice')

test('a resolve is shown before the server answers, is sent once, and can be undone', async ({ page }) => {
  await openSettled(page, await findIssue(1))
  const calls = watchCalls(page)
  const answer = Promise.withResolvers<void>()
  await page.route('**/_serverFn/**', async (route) => {
    if (route.request().method() === 'POST') await answer.promise
    await route.continue()
  })
  // By the second click the label of the button is "Reopen".
  await page.getByRole('button', { name: 'Resolve', exact: true }).dblclick()
  await expect(status(page)).toHaveText('resolved')
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeFocused()
  answer.resolve()
  await expect(notice(page).getByRole('status')).toHaveText('Resolved.')
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1)

  await press(page, 'Undo')
  await expect(notice(page).getByRole('status')).toHaveText('Undone.')
  await expect(status(page)).toHaveText('unresolved')
  await expect(page.getByRole('button', { name: 'Resolve' })).toBeFocused()
  await expect(notice(page).getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await notice(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice(page)).toBeEmpty()
  await page.reload()
  await expect(status(page)).toHaveText('unresolved')
})

test('a second change of an issue is sent after the answer to the first', async ({ page }) => {
  await openSettled(page, await findIssue(12))
  const calls = watchCalls(page)
  const answer = Promise.withResolvers<void>()
  await page.route('**/_serverFn/**', async (route) => {
    if (route.request().method() === 'POST') await answer.promise
    await route.continue()
  })
  await press(page, 'Resolve')
  await press(page, 'Reopen')
  await expect(status(page)).toHaveText('unresolved')
  const posts = () => calls.filter(({ method }) => method === 'POST').map(({ payload }) => payload)
  expect(posts()).toHaveLength(1)
  answer.resolve()
  await expect(notice(page).getByRole('status')).toHaveText('Reopened.')
  expect(posts()).toHaveLength(2)
  expect(posts()[1]).toContain('unresolved')
  await page.reload()
  await expect(status(page)).toHaveText('unresolved')
})

test('page data that another tab changed is reloaded at once; other page data is not @full', async ({
  page,
}) => {
  const url = await findIssue(2)
  const { origin } = culvert()
  const issue = await openInAnotherTab(page, url)
  const otherIssue = await openInAnotherTab(page, await findIssue(3))
  const outcomes = await openInAnotherTab(page, `${origin}/outcomes`)
  const projects = await openInAnotherTab(page, `${origin}/projects`)
  const unresolved = projects
    .getByRole('listitem')
    .filter({ hasText: 'Shop' })
    .getByText('12', { exact: true })
  await expect(unresolved.first()).toBeVisible()
  // The last one, because a list is read again once it is 30 s old.
  const list = await openInAnotherTab(page, `${origin}/issues`)
  await openSettled(page, url)
  const listCalls = watchCalls(list)
  const untouchedCalls = [watchCalls(otherIssue), watchCalls(outcomes)]
  const ownCalls = watchCalls(page)

  await press(page, 'Resolve')
  await expect(notice(page).getByRole('status')).toHaveText('Resolved.')
  await expect(status(issue)).toHaveText('resolved')
  await expect(list.getByRole('link', { name: /^Trouble 2 [A-Z]/ })).toHaveCount(0)
  await expect(list.locator('.issue-table tbody tr')).toHaveCount(11)
  await expect(
    projects.getByRole('listitem').filter({ hasText: 'Shop' }).getByText('11', { exact: true }),
  ).toBeVisible()
  await waitUntilSettled(page)
  expect(listCalls).toHaveLength(1)
  expect(untouchedCalls).toEqual([[], []])
  expect(ownCalls.map(({ method }) => method)).toEqual(['POST', 'GET'])
  expect(ownCalls[1]?.payload).toContain('issueId')
})

test('a changed list is reloaded on back navigation, and an unchanged page is not @full', async ({
  page,
}) => {
  await openSettled(page, `${culvert().origin}/issues`)
  await page.getByRole('link', { name: 'Ingestion' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ingestion')
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Issues' }).click()
  await page.getByRole('link', { name: /^Trouble 4 [A-Z]/ }).click()
  await expect(status(page)).toHaveText('unresolved')
  await press(page, 'Archive')
  await expect(notice(page).getByRole('status')).toHaveText('Archived.')
  const calls = watchCalls(page)
  await page.getByRole('link', { name: 'Ingestion' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ingestion')
  expect(calls).toEqual([])
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Issues' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Issues')
  await expect(page.getByRole('link', { name: /^Trouble 5 [A-Z]/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Trouble 4 [A-Z]/ })).toHaveCount(0)
  expect(calls).toHaveLength(1)
})

test('the issue’s event page shows the change; another issue’s page is not reloaded @full', async ({
  page,
}) => {
  const { origin } = culvert()
  const own = await openInAnotherTab(page, `${origin}/events/${eventIds[5]}`)
  const other = await openInAnotherTab(page, `${origin}/events/${eventIds[6]}`)
  const otherCalls = watchCalls(other)
  await openSettled(page, await findIssue(6))
  await press(page, 'Resolve')
  await expect(status(own)).toHaveText('resolved')
  // The header, with the count of the inbox, is requested without a payload.
  expect(otherCalls.filter(({ payload }) => payload !== '')).toEqual([])
})

test('a failed action is sent once, restores the state, and shows an error', async ({ page, problems }) => {
  problems.expect(/status of 500|reported: .*answered with status 500/)
  await openSettled(page, await findIssue(8))
  const calls = watchCalls(page)
  const answer = Promise.withResolvers<void>()
  await page.route('**/_serverFn/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await answer.promise
    return route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' })
  })
  await press(page, 'Resolve')
  await expect(status(page)).toHaveText('resolved')
  answer.resolve()
  const alert = notice(page).getByRole('alert')
  await expect(alert).toHaveText(
    /^Couldn’t change the status\. A server-side exception has occurred\. Digest: [0-9a-f]{12}/,
  )
  await expect(status(page)).toHaveText('unresolved')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trouble 8')
  await expectThroughout(1_000, () => expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1))
  await page.unroute('**/_serverFn/**')
  await press(page, 'Resolve')
  await expect(notice(page).getByRole('status')).toHaveText('Resolved.')
  await expect(alert).toHaveCount(0)
})

test('a failed action leaves the buttons in place @full', async ({ page, problems }) => {
  problems.expect(/status of 500|reported: .*answered with status 500/)
  await openSettled(page, await findIssue(8))
  const actions = page.locator('.issue-actions')
  const before = await actions.boundingBox()
  await page.route('**/_serverFn/**', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: 'broken' }) : route.continue(),
  )
  await actions.getByRole('button').first().click()
  await expect(notice(page).getByRole('alert')).toContainText('Couldn’t change the status.')
  expect(await actions.boundingBox()).toEqual(before)
})

test('an action after the session expired redirects to the sign-in and back @full', async ({ page }) => {
  const url = await findIssue(8)
  await openSettled(page, url)
  await page.context().addCookies([{ ...culvert().session, value: 'ended', url: culvert().origin }])
  await page.locator('.issue-actions').getByRole('button').first().click()
  const alert = notice(page).getByRole('alert')
  await expect(alert).toContainText('Couldn’t change the status. Your session has ended.')
  await alert.getByRole('link', { name: 'Sign in again' }).click()
  await expect(page).toHaveURL(`${culvert().origin}/login?to=${encodeURIComponent(new URL(url).pathname)}`)
})

test('an offline action is not sent and shows an error @full', async ({ page, context, problems }) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  await openSettled(page, await findIssue(9))
  await context.setOffline(true)
  await press(page, 'Archive')
  await expect(notice(page).getByRole('alert')).toHaveText('Couldn’t change the status. You’re offline.')
  await expect(status(page)).toHaveText('unresolved')
  await context.setOffline(false)
})

test('a resolved issue that occurs again is unresolved and marked as regressed', async ({ page }) => {
  const url = await findIssue(10)
  await openSettled(page, url)
  await press(page, 'Resolve')
  await expect(notice(page).getByRole('status')).toHaveText('Resolved.')
  await sendEvent(shop, { fingerprint: ['trouble-10'], message: 'again', timestamp: Date.now() / 1000 + 1 })
  await page.goto(`${culvert().origin}/issues`)
  await expect(page.getByRole('row').filter({ hasText: 'again' })).toContainText('regressed')
  await page.goto(url)
  await expect(status(page)).toHaveText('regressed')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('several issues are merged at once, and unmerged by "Undo"', async ({ page }) => {
    await page.goto(`${culvert().origin}/issues?status=all`)
    const rows = page.locator('tbody tr')
    const count = await rows.count()
    for (const name of ['Trouble 1', 'Trouble 2']) {
      await rows
        .filter({ has: page.getByRole('link', { name: new RegExp(`^${name} [A-Z]`) }) })
        .getByRole('checkbox')
        .check()
    }
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await expect(notice(page).getByRole('status')).toHaveText(/^Merged/)
    await expect(rows).toHaveCount(count - 1)
    await notice(page).getByRole('button', { name: 'Undo' }).click()
    await expect(notice(page).getByRole('status')).toHaveText(/^Undone/)
    await expect(rows).toHaveCount(count)
  })
})
