import type { Page } from '@playwright/test'
import { signInAt } from '#test/session.ts'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent } from './support/events.ts'
import { openSettled, waitUntilSettled } from './support/hydration.ts'
import { findIssuePath } from './support/issue-path.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { readServedPage } from './support/served-page.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let project: Project
let eventId = ''

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Shop')
})

test.describe.configure({ mode: 'serial', timeout: 90_000 })

const bell = (page: Page) => page.getByRole('link', { name: /^Inbox/ })
const items = (page: Page) => page.getByRole('list').filter({ hasText: 'New issue' }).getByRole('listitem')

/** Opens the inbox until the decisions about everything sent before are in it. */
async function openInbox(page: Page, count: number): Promise<void> {
  const url = `${culvert().origin}/inbox`
  await expect.poll(() => readServedPage(page, url)).toContain(`Inbox, ${count} unread`)
  await page.goto(url)
  await expect(items(page)).toHaveCount(count)
  await expect(bell(page)).toHaveAccessibleName(`Inbox, ${count} unread`)
}

test('an empty inbox explains what it will contain', async ({ page }) => {
  await page.goto(`${culvert().origin}/inbox`)
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('No unread notifications')
  await expect(bell(page)).toHaveAccessibleName('Inbox')
  await expectGoodLayout(page)
})

test(
  'new issues are in the inbox of every member and can be read with the keyboard',
  { tag: '@postgres' },
  async ({ page }) => {
    for (const name of ['CartError', 'PaymentError', 'AddressError'])
      eventId = await sendEvent(project, fullEvent(name))
    await openInbox(page, 3)
    await expectGoodLayout(page)
    await waitUntilSettled(page)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(items(page).nth(1).getByRole('link')).toBeFocused()
    await page.keyboard.press('e')
    await expect(items(page)).toHaveCount(2)
    await expect(bell(page)).toHaveAccessibleName('Inbox, 2 unread')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/issues\/\d+/)
    // Opening an issue marks it as read.
    await expect(bell(page)).toHaveAccessibleName('Inbox, 1 unread')
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await expect(page).toHaveURL(/\/inbox$/)
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('No unread notifications')
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await expect(items(page)).toHaveCount(3)
  },
)

test('a user without notifications for new issues gets none @full', async ({ page }) => {
  await page.goto(`${culvert().origin}/settings/notifications`)
  await page.getByLabel('New issue').selectOption('Off')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.notice')).toContainText('Notifications saved.')
  await page.goto(`${culvert().origin}/projects/shop/alerts`)
  const form = page.getByRole('region', { name: 'Add rule' })
  await form.getByLabel('Name').fill('Payments')
  await form.getByRole('button', { name: 'Dry run' }).click()
  await expect(form.getByRole('status')).toContainText(
    'would have sent no alert for 3 transitions. 3 more would have had no receiver.',
  )
  await page.goto(`${culvert().origin}/settings/notifications`)
  await expect(page.getByLabel('New issue')).toHaveValue('none')
  await page.getByLabel('New issue').selectOption('Inbox')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.notice')).toContainText('Notifications saved.')
})

test('a project has its own setting @full', async ({ page }) => {
  await page.goto(`${culvert().origin}/settings/notifications`)
  const way = page.getByRole('group', { name: 'Projects' }).getByRole('combobox').first()
  await way.selectOption('Off')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.notice')).toContainText('Notifications saved.')
  await page.reload()
  await expect(way).toHaveValue('none')
  await way.selectOption('As selected above')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.notice')).toContainText('Notifications saved.')
  await expectGoodLayout(page)
})

const entry = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

test('a rule is tested, added, shown as a sentence, muted, disabled and deleted', async ({ page }) => {
  await page.goto(`${culvert().origin}/projects/shop/alerts`)
  await expect(entry(page, 'New and regressed issues')).toContainText(
    'When an issue is new or regresses, notify all members each time.',
  )
  const form = page.getByRole('region', { name: 'Add rule' })
  await form.getByLabel('Name').fill('Payments')
  await form.getByLabel('And all of these are true').fill('text contains payment\nolder than 2 hours')
  await form.getByRole('button', { name: 'Dry run' }).click()
  await expect(form).toContainText('This rule can never fire: an issue is new only when it is first seen.')
  await form.getByLabel('And all of these are true').fill('text contains payment')
  await form.getByRole('button', { name: 'Dry run' }).click()
  await expect(form.getByRole('status')).toContainText('would have sent 1 alert for 3 transitions')
  await expect(form.getByRole('status').getByRole('link')).toHaveText('PaymentError')
  await expectGoodLayout(page)
  await form.getByRole('button', { name: 'Add rule' }).click()
  const rule = entry(page, 'Payments')
  await expect(rule).toContainText('and its text contains "payment", notify all members each time.')
  await rule.getByLabel('Edit Payments', { exact: true }).click()
  await expect(rule.getByLabel('Name')).toBeVisible()
  // The forms of a rule replace each other.
  await rule.getByLabel('Mute Payments', { exact: true }).click()
  await expect(rule.getByLabel('Name')).toBeHidden()
  await rule.getByLabel('Reason').fill('Deploy')
  await rule.getByRole('button', { name: 'Mute Payments now' }).click()
  await expect(rule).toContainText(/muted until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC: Deploy/)
  await expect(rule.getByRole('button', { name: 'End mute of Payments' })).toBeFocused()
  await expectGoodLayout(page)
  await rule.getByRole('button', { name: 'End mute of Payments' }).click()
  await expect(rule).not.toContainText('muted until')
  await rule.getByRole('button', { name: 'Disable Payments' }).click()
  await expect(rule).toContainText('disabled')
  const deletion = rule.getByRole('button', { name: 'Delete Payments' })
  await expect(deletion).toBeHidden()
  await rule.locator('summary[aria-label="Delete Payments…"]').click()
  await deletion.click()
  await expect(rule).toHaveCount(0)
})

test('a rule with a threshold explains invalid input, is tested and saved @full', async ({ page }) => {
  await page.goto(`${culvert().origin}/projects/shop/alerts`)
  const form = page.getByRole('region', { name: 'Add rule' })
  await form.getByLabel('Name').fill('Flood')
  await form.getByLabel('It is new').uncheck()
  await form.getByLabel('Or when it has').fill('many events')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(form.getByText('This is not a threshold. Example: "100 events in 5 minutes".')).toBeVisible()
  await expectGoodLayout(page)
  await form.getByLabel('Or when it has').fill('1 events in 1 hour')
  await form.getByRole('button', { name: 'Dry run' }).click()
  await expect(form.getByRole('status')).toContainText('would have sent 3 alerts')
  // Enter presses the first button of a form.
  await form.getByLabel('Or when it has').press('Enter')
  const rule = entry(page, 'Flood')
  await expect(rule).toContainText(
    'When an issue has 1 or more events in an hour, notify all members each time.',
  )
  await page.reload()
  await expect(rule.getByLabel('Or when it has')).toHaveValue('1 events in 1 hour')
  await rule.locator('summary[aria-label="Delete Flood…"]').click()
  await rule.getByRole('button', { name: 'Delete Flood' }).click()
  await expect(rule).toHaveCount(0)
})

test('a rule about the project is tested and added, and none is about both @full', async ({ page }) => {
  await page.goto(`${culvert().origin}/projects/shop/alerts`)
  const form = page.getByRole('region', { name: 'Add rule' })
  await form.getByLabel('Name').fill('Releases')
  await form.getByLabel('A release is created').check()
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(form).toContainText('add a separate rule for "release"')
  await form.getByLabel('It is new').uncheck()
  await form.getByLabel('Or when its crash-free rate is below').fill('all of them')
  await form.getByRole('button', { name: 'Dry run' }).click()
  await expect(form).toContainText('This is not a crash-free rate.')
  await form.getByLabel('Or when its crash-free rate is below').fill('99% of sessions of a release in 1 hour')
  await form.getByRole('button', { name: 'Dry run' }).click()
  await expect(form.getByRole('status')).toContainText('this rule would have sent')
  await expectGoodLayout(page)
  await form.getByRole('button', { name: 'Add rule' }).click()
  const rule = entry(page, 'Releases')
  await expect(rule).toContainText(
    'When a release is created or less than 99% of 100 or more sessions of a release in an hour are crash-free, notify all members each time.',
  )
  await sendEvent(project, { ...fullEvent('ReleasedError'), release: 'web@9.0.0' })
  const inbox = `${culvert().origin}/inbox`
  await expect.poll(() => readServedPage(page, inbox)).toContain('web@9.0.0')
  await page.goto(inbox)
  await expectGoodLayout(page)
  await page.getByRole('link', { name: 'web@9.0.0' }).click()
  await expect(page).toHaveURL(/\/releases\/web%409\.0\.0/)
})

test('the ledger lists the recipients, and the issue page why others got no message @full', async ({
  page,
}) => {
  await page.goto(`${culvert().origin}/alerts`)
  const decision = page.getByRole('listitem').filter({ hasText: 'PaymentError' })
  await expect(decision).toContainText('New issue by the rule New and regressed issues')
  await expect(decision).toContainText('In the inbox of 1 person')
  await expectGoodLayout(page)
  await decision.getByRole('link', { name: 'PaymentError' }).click()
  await expect(page).toHaveURL(/\/issues\/\d+\/alerts$/)
  const explanation = page.getByRole('region', { name: 'Comments' })
  await expect(explanation).toContainText('would not be sent now')
  await expect(explanation.getByRole('row', { name: 'gets a comment' })).toContainText('is new')
  await expectGoodLayout(page)
})

test('an exception gives one kind in one project another way, and is removed again @full', async ({
  page,
}) => {
  const exceptions = page.getByRole('group', { name: 'Exceptions' })
  const added = exceptions.getByLabel('New issue in Shop')
  const save = async () => {
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.locator('.notice')).toContainText('Notifications saved.')
    await page.goto(`${culvert().origin}/settings/notifications`)
  }
  await page.goto(`${culvert().origin}/settings/notifications`)
  await exceptions.getByLabel('Exception for project').selectOption('Shop')
  await exceptions.getByLabel('Notification').selectOption('New issue')
  await exceptions.getByLabel('Delivery').selectOption('Off')
  await save()
  await expect(added).toHaveValue('none')
  await expectGoodLayout(page)
  await sendEvent(project, fullEvent('UnheardError'))
  const ledger = `${culvert().origin}/alerts`
  await expect.poll(() => readServedPage(page, ledger)).toContain('UnheardError')
  await page.goto(ledger)
  const decision = page.getByRole('listitem').filter({ hasText: 'UnheardError' })
  await expect(decision).toContainText('no receiver')
  await page.goto(`${culvert().origin}/settings/notifications`)
  await added.selectOption('As selected above')
  await save()
  await expect(added).toHaveCount(0)
})

test('a comment mentions a suggested member, who finds it in the inbox @full', async ({
  page,
  openContext,
}) => {
  const grace = { email: 'grace.mentioned@example.com', password: 'a password for tests' }
  await culvert().createUser(grace.email, grace.password)
  await openSettled(page, culvert().origin + (await findIssuePath(culvert(), eventId)))
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.click()
  await comment.pressSequentially('Please look, @grace.m')
  const option = page.getByRole('option', { name: grace.email })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expectGoodLayout(page)
  await page.keyboard.press('Escape')
  await expect(option).toHaveCount(0)
  await comment.pressSequentially('e')
  await expect(option).toBeVisible()
  const submit = page.getByRole('button', { name: 'Comment', exact: true })
  await submit.click({ trial: true })
  await page.keyboard.press('Enter')
  await expect(comment).toHaveValue(`Please look, @${grace.email} `)
  await submit.click()
  const activity = page.getByRole('region', { name: 'Activity' })
  await expect(activity).toContainText(`Please look, @${grace.email}`)

  const context = await openContext()
  const session = await signInAt(culvert().origin, { name: '', ...grace })
  await context.addCookies([{ ...session, url: culvert().origin }])
  const other = await context.newPage()
  const inbox = `${culvert().origin}/inbox`
  await expect.poll(() => readServedPage(other, inbox)).toContain('Mentioned you')
  await other.goto(inbox)
  await expect(other.getByText('Mentioned you')).toBeVisible()
})
