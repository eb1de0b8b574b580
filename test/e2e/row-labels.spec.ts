import type { Page } from '@playwright/test'
import { dayMs } from '#time/time-steps.ts'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent } from './support/events.ts'
import { openSettled } from './support/hydration.ts'
import { expectAccessible } from './support/layout-checks.ts'
import { readServedPage } from './support/served-page.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let shop: Project
const culvert = shareCulvert(async (started) => {
  shop = await started.createProject('Shop')
  const send = (name: string, fields: object = {}) =>
    sendEvent(shop, { ...fullEvent(name), fingerprint: [name], ...fields })
  for (const environment of ['staging', 'production', 'production']) await send('Crash', { environment })
  for (const name of ['Regression', 'Escalation', 'Closed', 'Message'])
    await send(name, { exception: undefined, message: name })
  for (let id = 100; id < 120; id += 1) {
    await send('Popular', { user: { id } })
    if (id < 105) await send('Seldom', { user: { id } })
  }
})

const row = (page: Page, name: string) =>
  page
    .locator('.issue-table tbody tr')
    .filter({ has: page.getByRole('link', { name: new RegExp(`^${name} [A-Z]`) }) })
const badges = (page: Page, name: string) => row(page, name).locator('.badge, .issue-unhandled')

test.describe.configure({ mode: 'serial' })

test('a row shows the labels of its issue, and none that every row would have @full', async ({ page }) => {
  const url = `${culvert().origin}/issues`
  // Under load a tag is counted a second later.
  await expect.poll(() => readServedPage(page, url)).toContain('</bdi> +1')
  await page.goto(url)
  await expect(badges(page, 'Message')).toHaveCount(0)
  await expect(row(page, 'Message')).toContainText('production')
  await expect(badges(page, 'Crash')).toHaveText(['unhandled'])
  await expect(row(page, 'Crash')).toContainText('production +1')

  const ofShop = `project_id = ${shop.id} AND title`
  const owner = `(SELECT user_id FROM memberships m JOIN projects p USING (organization_id) WHERE p.id = ${shop.id})`
  culvert()
    .execute(`UPDATE issues SET first_seen_at = first_seen_at - ${20 * dayMs} WHERE ${ofShop} <> 'Message';
    UPDATE issues SET is_regressed = 1 WHERE ${ofShop} = 'Regression';
    UPDATE issues SET status = 'resolved' WHERE ${ofShop} = 'Closed';
    UPDATE issues SET assignee_id = ${owner}, event_count = 388 WHERE ${ofShop} = 'Crash';
    UPDATE issues SET status_changed_at = 5 WHERE ${ofShop} = 'Escalation';
    INSERT INTO issue_activity (project_id, issue_id, id, action_id, at, kind, detail)
    SELECT project_id, id, 1, 1, 5, 'reopened', '{"reason":"escalation"}' FROM issues WHERE ${ofShop} = 'Escalation'`)
  await page.goto(`${culvert().origin}/issues?status=all`)
  await expect(badges(page, 'Message')).toHaveText(['new'])
  await expect(badges(page, 'Regression')).toHaveText(['regressed'])
  await expect(badges(page, 'Escalation')).toHaveText(['escalating'])
  await expect(badges(page, 'Closed')).toHaveText(['resolved'])
  await expect(badges(page, 'Crash')).toHaveText(['assigned to you', 'unhandled'])
  await expectAccessible(page)
})

test('the actions of a row leave its title under the pointer, on a narrow screen too @full', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await openSettled(page, `${culvert().origin}/issues?status=all`)
  const title = row(page, 'Escalation').getByRole('link')
  const card = await row(page, 'Escalation').boundingBox()
  const line = await title.boundingBox()
  if (card === null || line === null) throw new Error('the row is not shown')
  const actions = page.getByRole('form', { name: /^Actions for / })
  // Along the whole line of the title.
  for (const part of [0.2, 0.5, 0.95]) {
    const [x, y] = [card.x + card.width * part, line.y + line.height / 2]
    await page.mouse.move(x - 2, y)
    await page.mouse.move(x, y)
    await expect(actions).toBeVisible()
    const href = await page.evaluate(
      ([left, top]) => document.elementFromPoint(left, top)?.closest('a')?.getAttribute('href') ?? null,
      [x, y] as const,
    )
    expect(href, `at ${part}`).toBe(await title.getAttribute('href'))
  }
  await actions.getByRole('button', { name: 'Archive' }).click({ trial: true })
  await page.mouse.click(card.x + card.width * 0.95, line.y + line.height / 2)
  await expect(page).toHaveURL(/\/issues\/\d+$/)
})

test('the number of events matches the bars, and the total is named @full', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${culvert().origin}/issues`)
  const events = row(page, 'Crash').locator('.count-cell').first()
  await expect(page.getByRole('columnheader', { name: 'Events 24 h' })).toBeVisible()
  await expect(events).toHaveText('3')
  await expect(events.locator('data')).toHaveAttribute('title', '3 in 24 h, 388 of all time')
  await page.getByRole('link', { name: 'Last 24 h' }).click()
  await expect(page.getByRole('columnheader', { name: 'Events 14 d' })).toBeVisible()
  await expect(events.locator('data')).toHaveAttribute('title', '3 in 14 d, 388 of all time')
  await page.getByLabel('Sort by').selectOption({ label: 'Most events' })
  await expect(events).toHaveText('3of 388')
})

test('the users of an issue are shown as a share of the project’s if that tells more @full', async ({
  page,
}) => {
  const users = (name: string) => row(page, name).locator('.count-cell').nth(1)
  await page.setViewportSize({ width: 1440, height: 900 })
  // Under load users are counted a second later.
  const url = `${culvert().origin}/issues`
  await expect.poll(() => readServedPage(page, url)).toContain('95%')
  await page.goto(url)
  await expect(users('Popular')).toHaveText('2095% of the project’s users')
  await expect(users('Seldom')).toHaveText('524% of the project’s users')
  await expect(users('Crash')).toHaveText('1')
  const title = '5 users, about 24% of all users with events in this project'
  await expect(users('Seldom').locator('data')).toHaveAttribute('title', title)
  await expectAccessible(page)

  await page.setViewportSize({ width: 360, height: 800 })
  await page.reload()
  await expect(users('Seldom')).toBeVisible()
  const share = users('Seldom').locator('.count-share')
  const [cell, box] = [await users('Seldom').boundingBox(), await share.boundingBox()]
  // On one line, after the noun.
  expect(cell?.height).toBeLessThan(24)
  expect(box?.x).toBeGreaterThan((cell?.x ?? 0) + 30)
  await expectAccessible(page)
})
