import type { Locator, Page } from '@playwright/test'
import { fullEvent, sendEvent, sendIssues } from './support/events.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const email = 'kay@example.com'
const password = 'a password for the keyboard'

const culvert = shareCulvert(async (started) => {
  const project = await started.createProject('Shop')
  await sendIssues(project, 60)
  for (let count = 0; count < 3; count++) await sendEvent(project, fullEvent('PaymentError'))
  await started.createUser(email, password)
})

// The first test runs through everything, and a busy machine starts slowly.
test.describe.configure({ timeout: 90_000 })

const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const rowLink = (page: Page, title: string) => page.getByRole('link', { name: new RegExp(`^${title} [A-Z]`) })
const notice = (page: Page) => page.locator('.notice')

async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key)
}

/** Presses Tab until the element is focused; fails if the keyboard cannot reach it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

async function openStream(page: Page): Promise<void> {
  await page.goto(`${culvert().origin}/issues`)
  await waitUntilAlive(page)
}

/** The checkbox needs scripts and is shown once they run. */
async function waitUntilAlive(page: Page): Promise<void> {
  await expect(page.getByRole('checkbox', { name: 'Select all' })).toBeVisible()
}

test.describe('while links are prefetched:', () => {
  test.use({ prefetches: true })

  test('a day of triage needs no mouse: sign in, select, resolve, undo, open, navigate, assign, go back', async ({
    page,
    context,
  }) => {
    await context.clearCookies()
    await page.goto(culvert().origin)
    await tabTo(page, page.getByLabel('Email'))
    await page.keyboard.type(email)
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Issues')
    await waitUntilAlive(page)

    await press(page, 'j j x j x')
    await expect(rowLink(page, 'Trouble 59')).toBeFocused()
    await expect(page.getByText('2 selected')).toBeVisible()
    await press(page, 'e')
    await expect(notice(page)).toContainText('Resolved: 2 issues.')
    await expect(row(page, 'Trouble 60')).toHaveCount(0)
    // The row that took the position of the resolved one.
    await expect(rowLink(page, 'Trouble 58')).toBeFocused()
    // The buttons of a removed row do not cover the one that took its position.
    await expect(page.getByRole('form', { name: /^Actions for / })).toBeHidden()
    await press(page, 'z')
    await expect(row(page, 'Trouble 60')).toHaveCount(1)

    await press(page, 'g p')
    await expect(page).toHaveURL(/\/projects$/)
    // The address changes before the page, and a list that stays keeps its cursor.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
    await press(page, 'g i')
    await expect(row(page, 'Trouble 60')).toHaveCount(1)
    await press(page, 'j')
    await expect(rowLink(page, 'PaymentError')).toBeFocused()
    await press(page, 'o')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('PaymentError')
    await expect(page).toHaveURL(/\/issues\/\d+$/)
    const latest = page.url()
    await press(page, 'a')
    await expect(notice(page)).toContainText('Assigned')
    await press(page, 'p')
    await expect(page).not.toHaveURL(latest)
    const earlier = page.url()
    await expect(page.locator('.event-id')).toContainText(earlier.split('/').at(-1) ?? '')
    await press(page, 'n')
    await expect(page).not.toHaveURL(earlier)
    await press(page, 'u')
    await expect(page).toHaveURL(/\/issues$/)
    await expect(rowLink(page, 'PaymentError')).toBeFocused()
  })

  test('a held key moves the cursor on, and undo leaves the cursor where it is @full', async ({ page }) => {
    await openStream(page)
    await waitUntilSettled(page)
    await press(page, 'j')
    for (let repeat = 0; repeat <= 5; repeat++) await page.keyboard.down('j')
    await page.keyboard.up('j')
    await expect(page.locator('tbody a.row-link').nth(6)).toBeFocused()
    await press(page, 'e')
    await expect(notice(page)).toContainText('Resolved')
    const next = page.locator('tbody a.row-link:focus')
    const href = await next.getAttribute('href')
    await press(page, 'z')
    await expect(notice(page)).toContainText('Undone')
    await expect(next).toHaveAttribute('href', href ?? '')
  })
})

test('rows are selected by range, nothing moves, and Escape clears the selection', async ({ page }) => {
  await openStream(page)
  const first = page.locator('tbody tr').first()
  const before = await first.boundingBox()
  await page.getByRole('checkbox', { name: 'Select SHOP-1P' }).check()
  await page.getByRole('checkbox', { name: 'Select SHOP-1L' }).click({ modifiers: ['Shift'] })
  await expect(page.getByText('5 selected')).toBeVisible()
  expect(await first.boundingBox()).toEqual(before)
  await page.getByRole('checkbox', { name: 'Select SHOP-1K' }).check()
  await press(page, 'j j Shift+X')
  await expect(page.getByText('8 selected')).toBeVisible()
  await press(page, 'Escape')
  await expect(page.getByText(/\d selected/)).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await expect(page.getByText('50 selected')).toBeVisible()
})

test('Escape leaves the search field with its text, and the next key moves in the results @full', async ({
  page,
}) => {
  await openStream(page)
  await waitUntilSettled(page)
  await press(page, '/')
  await page.keyboard.type('Trouble')
  await press(page, 'Enter')
  await expect(page).toHaveURL(/q=Trouble/)
  await press(page, 'Escape')
  await expect(page.getByLabel('Search issues')).not.toBeFocused()
  await expect(page.getByLabel('Search issues')).toHaveValue('Trouble')
  await press(page, 'j')
  await expect(page.locator('tbody a.row-link').first()).toBeFocused()
})

test('single keys are ignored while typing, with modifiers, and in a dialog @full', async ({ page }) => {
  await openStream(page)
  await waitUntilSettled(page)
  await press(page, '/')
  await page.keyboard.type('jex?')
  await expect(page.locator('input:focus')).toHaveValue('jex?')
  await page.locator('input:focus').blur()
  await press(page, 'Control+j Alt+j')
  await expect(page.locator('body')).toBeFocused()
  await press(page, 'Shift+?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toBeVisible()
  await expect(help).toContainText('Ctrl K')
  await press(page, 'j g p')
  await press(page, 'Escape')
  await expect(help).toHaveCount(0)
  await expect(page).toHaveURL(/\/issues$/)
  await press(page, 'g p')
  await expect(page).toHaveURL(/\/projects$/)
})

test('the palette finds issues, screens and the actions of the page', async ({ page }) => {
  await openStream(page)
  const field = page.getByRole('combobox', { name: 'Command palette' })
  const options = page.getByRole('listbox').getByRole('option')
  await press(page, 'j Control+k')
  // Its code is loaded only now: keys typed meanwhile go to the palette, not to the page.
  await page.keyboard.type('trouble 12')
  await expect(field).toHaveValue('trouble 12')
  await expect(field).toBeFocused()
  // The action of the page, "Search on this page", has only these letters.
  await field.fill('set')
  await expect(options.first()).toContainText('Settings')
  await field.fill('trouble 12')
  // Again while it is open: the field keeps its text, and what is typed next.
  await press(page, 'Control+k')
  await page.keyboard.type('3')
  await press(page, 'Backspace')
  await expect(field).toHaveValue('trouble 12')
  await page.keyboard.type(' ')
  await expect(field).toHaveValue('trouble 12 ')
  const option = page.getByRole('option', { name: /Trouble 12/ })
  await expect(option).toBeVisible()
  await expect(field).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '')
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trouble 12')

  await press(page, 'Control+k')
  await page.keyboard.type('archive')
  await expect(options.first()).toContainText('Archive')
  await press(page, 'Enter')
  await expect(notice(page)).toContainText('Archived')

  await press(page, 'Control+k')
  await page.keyboard.type('inge')
  await expect(options.first()).toContainText('Ingestion')
  await press(page, 'Enter')
  await expect(page).toHaveURL(/\/outcomes/)

  await press(page, 'Control+k')
  await page.keyboard.type('syst')
  await expect(options.first()).toContainText('System')
  await press(page, 'Enter')
  await expect(page).toHaveURL(/\/settings\/system/)

  await press(page, 'Control+k')
  await page.keyboard.type('source maps')
  await page.getByRole('option', { name: 'Source maps', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Source maps')
})

/** Opens the stream without the code of the keyboard, until the returned function is called. */
async function openWithoutKeyboard(page: Page): Promise<() => void> {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/assets/started-*.js', async (route) => {
    asked.resolve()
    await released.promise
    await route.continue()
  })
  await openStream(page)
  await asked.promise
  return released.resolve
}

test('text typed after Ctrl+K, before the code of the keyboard is loaded, is a search and no shortcuts @full', async ({
  page,
}) => {
  const loadKeyboard = await openWithoutKeyboard(page)
  await press(page, 'Control+k')
  await page.keyboard.type('settings')
  loadKeyboard()
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toHaveValue('settings')
  await expect(page).toHaveURL(/\/issues$/)
})

test('a click on the search of the header, before the code of the keyboard is loaded, opens the palette @full', async ({
  page,
}) => {
  const loadKeyboard = await openWithoutKeyboard(page)
  await page.getByRole('button', { name: 'Search or go to…' }).click()
  await page.keyboard.type('settings')
  loadKeyboard()
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toHaveValue('settings')
  await expect(page).toHaveURL(/\/issues$/)
})

test('keys before the code of the keyboard is loaded move the focus and open a row @full', async ({
  page,
}) => {
  const loadKeyboard = await openWithoutKeyboard(page)
  await press(page, 'j j Enter')
  loadKeyboard()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Trouble 60')
})

test('the palette opens settings of a project, an issue by its id, and a trace @full', async ({ page }) => {
  await openStream(page)
  const options = page.getByRole('listbox').getByRole('option')
  const choose = async (text: string, name: string | RegExp) => {
    await press(page, 'Control+k')
    await page.keyboard.type(text)
    await expect(options.filter({ hasText: name }).first()).toBeVisible()
    await options.filter({ hasText: name }).first().click()
  }
  await choose('settings', ': General')
  await expect(page).toHaveURL(/\/projects\/[\w-]+$/)
  await choose('limits', ': Limits and retention')
  await expect(page).toHaveURL(/\/projects\/[\w-]+\/limits$/)
  await choose('web vit', 'Web vitals')
  await expect(page).toHaveURL(/\/performance\?view=vitals$/)
  await choose('inbox', 'Inbox')
  await expect(page).toHaveURL(/\/inbox$/)
  const traceId = 'ab'.repeat(16)
  await choose(traceId, /^Trace /)
  await expect(page).toHaveURL(`${culvert().origin}/traces/${traceId}`)

  await openStream(page)
  const href = (await page.locator('.row-link').first().getAttribute('href')) ?? ''
  const issueId = href.slice('/issues/'.length)
  await openSettled(page, `${culvert().origin}/projects`)
  await choose(issueId, /^Issue \d/)
  await expect(page).toHaveURL(culvert().origin + href)
})

test('the palette names the actions of the page, not the targets of their links @full', async ({ page }) => {
  await openStream(page)
  await press(page, 'j Enter')
  await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toBeVisible()
  await press(page, 'Control+k')
  const actions = page.getByRole('group', { name: 'On this page' }).getByRole('option')
  await expect(actions.first()).toBeVisible()
  const texts = (await actions.allTextContents()).map((text) => text.trim())
  expect(texts).toEqual(
    expect.arrayContaining(['Back to the listu', 'Resolvee', 'Archivem', 'Assign to mea']),
  )
})

test('g opens every screen of the header, and the settings', async ({ page }) => {
  await openStream(page)
  for (const [key, path] of [
    ['t', '/tunnel'],
    ['d', '/digest'],
    ['s', '/settings'],
    ['i', '/issues'],
  ]) {
    await press(page, `g ${key}`)
    await expect(page).toHaveURL(`${culvert().origin}${path}`)
  }
})

test('arrows move in a menu, and Escape closes it @full', async ({ page }) => {
  await openStream(page)
  await press(page, 'j')
  await expect(page.locator('tbody a.row-link').first()).toBeFocused()
  await press(page, 'Enter')
  const opener = page
    .locator('summary', { hasText: 'More' })
    .or(page.locator('.issue-actions summary'))
    .first()
  // The choices are rendered after the first paint.
  await expect(page.locator('.issue-actions .menu-panel :is(button, a)').first()).toBeAttached()
  await opener.focus()
  await press(page, 'ArrowDown')
  const menu = page.locator('.issue-actions details[open]')
  await expect(menu).toHaveCount(1)
  const items = menu.locator('.menu-panel :is(button, a, summary, input):visible')
  await expect(items.first()).toBeFocused()
  await press(page, 'ArrowDown')
  await expect(items.nth(1)).toBeFocused()
  await press(page, 'Escape')
  await expect(menu).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('a user who turns off single keys has none, on any page @full', async ({ page }) => {
  const { origin } = culvert()
  await page.goto(`${origin}/settings`)
  await page.getByLabel('Single-key shortcuts').uncheck()
  await page.locator('#keyboard').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Keyboard shortcuts turned off.')).toBeVisible()
  await openStream(page)
  await press(page, 'j g p Shift+?')
  await expect(page.locator('body')).toBeFocused()
  await expect(page).toHaveURL(/\/issues$/)
  await press(page, 'Control+k')
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeFocused()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('selected issues are archived by a form', async ({ page }) => {
    await page.goto(`${culvert().origin}/issues`)
    await page.getByRole('checkbox', { name: 'Select SHOP-1A' }).check()
    await page.getByRole('checkbox', { name: 'Select SHOP-1B' }).check()
    await page.getByRole('button', { name: 'Archive' }).click()
    await expect(page).toHaveURL(/\/issues$/)
    await expect(page.locator('tbody tr').first()).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Select SHOP-1A' })).toHaveCount(0)
    await expect(page.getByRole('checkbox', { name: 'Select SHOP-1B' })).toHaveCount(0)
  })
})
