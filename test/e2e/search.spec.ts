import type { Page } from '@playwright/test'
import { sendEvent } from './support/events.ts'
import { delayHydration, waitUntilSettled, openSettled } from './support/hydration.ts'
import { expectAccessible } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let eventId = ''

const culvert = shareCulvert(async (started) => {
  const shop = await started.createProject('Shop')
  eventId = await sendEvent(shop, {
    message: 'The cart is empty',
    environment: 'production',
    user: { email: 'ada@example.com' },
    tags: { customer_tier: 'gold', 'browser.name': 'Firefox', 'shop:floor': 'second' },
  })
})

const field = (page: Page) => page.getByRole('search', { name: 'Filters' }).locator('input[name="q"]')
const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' })

async function open(page: Page): Promise<void> {
  await openSettled(page, `${culvert().origin}/issues`)
}

test('tags of the events are suggested as keys, and Tab accepts the first suggestion', async ({ page }) => {
  await open(page)
  await field(page).pressSequentially('custom')
  const option = suggestions(page).getByRole('option', { name: 'customer_tier:' })
  await expect(option).toContainText('has tag')
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('customer_tier:')
  await expect(suggestions(page).getByRole('option', { name: 'gold' })).toBeVisible()
  await page.keyboard.type('g')
  await expect(suggestions(page).getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('customer_tier:gold ')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'The cart is empty' })).toBeVisible()
  await expect(field(page)).toBeFocused()
})

test('a tag that is not a plain key is suggested in brackets, and has: suggests tags @full', async ({
  page,
}) => {
  await open(page)
  await field(page).pressSequentially('shop')
  await suggestions(page).getByRole('option', { name: 'tags[shop:floor]:' }).click()
  await suggestions(page).getByRole('option', { name: 'second' }).click()
  await expect(field(page)).toHaveValue('tags[shop:floor]:second ')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'The cart is empty' })).toBeVisible()
  // As the list shows it: the space at the end is gone.
  await expect(field(page)).toHaveValue('tags[shop:floor]:second')
  await field(page).fill('has:')
  await expect(suggestions(page).getByRole('option', { name: 'customer_tier' })).toBeVisible()
})

test('Ctrl+Z undoes an accepted suggestion @full', async ({ page }) => {
  await open(page)
  await field(page).pressSequentially('customer_tier:go')
  await suggestions(page).getByRole('option', { name: 'gold' }).click()
  await expect(field(page)).toHaveValue('customer_tier:gold ')
  await page.keyboard.press('Control+z')
  await expect(field(page)).toHaveValue('customer_tier:go')
})

test('Tab moves to the next control when the field is empty @full', async ({ page }) => {
  await open(page)
  await field(page).focus()
  await expect(suggestions(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(field(page)).not.toBeFocused()
})

test('arrows select a suggestion and keep it in view, Enter accepts, Escape closes', async ({ page }) => {
  await open(page)
  await field(page).focus()
  const options = suggestions(page).getByRole('option')
  await expect(suggestions(page)).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await expect(options.last()).toBeInViewport({ ratio: 1 })
  await expect(field(page)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(suggestions(page)).toHaveCount(0)
  await expect(field(page)).toHaveAttribute('aria-expanded', 'false')
  await expect(field(page)).not.toHaveAttribute('aria-activedescendant')
  await expect(field(page)).toBeFocused()
  await field(page).click()
  await expect(suggestions(page)).toBeVisible()
  await expect(suggestions(page).getByRole('option', { selected: true })).toHaveCount(0)
  await page.keyboard.type('customer_tier:')
  await expect(options).toHaveText(['gold'])
  await page.keyboard.press('ArrowDown')
  const id = await options.first().getAttribute('id')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', id ?? '')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('customer_tier:gold ')
  await expect(page).toHaveURL(/\/issues$/)
})

test('the suggestions close when the search is submitted and when the field is left @full', async ({
  page,
}) => {
  await open(page)
  await field(page).fill('customer_tier:gold')
  await expect(suggestions(page)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=customer_tier/)
  await expect(suggestions(page)).toHaveCount(0)
  await expect(field(page)).toBeFocused()
  await field(page).click()
  await expect(suggestions(page)).toBeVisible()
  await page.getByRole('heading', { name: 'Issues' }).click()
  await expect(field(page)).not.toBeFocused()
  await expect(suggestions(page)).toHaveCount(0)
})

test('users are suggested by their names, and found by them', async ({ page }) => {
  await open(page)
  await field(page).fill('assigned:ow')
  await suggestions(page).getByRole('option', { name: '"Ada Owner"' }).click()
  await expect(field(page)).toHaveValue('assigned:"Ada Owner" ')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'No issues match' })).toBeVisible()
  await page.goto(`${culvert().origin}/issues`)
  await page.getByRole('link', { name: 'The cart is empty' }).click()
  await page.getByRole('button', { name: 'Assign to me' }).click()
  await expect(page.locator('.notice')).toContainText('Assigned')
  await page.goto(`${culvert().origin}/issues?q=${encodeURIComponent('assigned:"ada owner"')}`)
  await expect(page.getByRole('link', { name: 'The cart is empty' })).toBeVisible()
})

test('a key and its description are next to each other @full', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page)
  await field(page).fill('lev')
  const option = suggestions(page).getByRole('option').first()
  const key = await option.locator('code').evaluate((code) => code.getBoundingClientRect().right)
  const meaning = await option.locator('span').evaluate((span) => span.getBoundingClientRect().left)
  expect(meaning - key).toBeLessThan(300)
  await expectAccessible(page)
})

test('a search is saved under a name, and the field for the next name is empty', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/issues?q=cart`)
  const menu = page.getByText('Saved searches', { exact: true })
  await menu.click()
  const name = page.getByRole('textbox', { name: 'Name of this search' })
  await name.fill('Cart')
  await name.press('Enter')
  await expect(page.getByRole('link', { name: 'Cart', exact: true })).toHaveAttribute('aria-current', 'true')
  await menu.click()
  await expect(name).toHaveValue('')
})

test('deleting a saved search asks first', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/issues?q=address`)
  const menu = page.getByText('Saved searches', { exact: true })
  await menu.click()
  const name = page.getByRole('textbox', { name: 'Name of this search' })
  await name.fill('Address')
  await name.press('Enter')
  const saved = page.getByRole('link', { name: 'Address', exact: true })
  await expect(saved).toBeVisible()
  await menu.click()
  const deletion = page.getByRole('form', { name: 'Delete Address' })
  await expect(deletion).toBeHidden()
  await page.getByLabel('Delete Address…').click()
  await expect(deletion).toContainText('A deleted search can’t be restored.')
  await expect(saved).toBeVisible()
  await expectAccessible(page)
  await deletion.getByRole('button', { name: 'Delete' }).click()
  await expect(saved).toBeHidden()
})

test('a search without matches suggests where to look @full', async ({ page }) => {
  await open(page)
  await field(page).fill('ada@example.com')
  await field(page).press('Enter')
  await expect(page.getByRole('heading', { name: 'No issues match' })).toBeVisible()
  await page.getByRole('link', { name: 'user.email:ada@example.com' }).click()
  await expect(page.getByRole('link', { name: 'The cart is empty' })).toBeVisible()
  await expect(field(page)).toHaveValue('user.email:ada@example.com')
})

test(
  'the header opens the palette, which finds a record by its id and searches for other texts',
  { tag: '@postgres' },
  async ({ page }) => {
    await openSettled(page, `${culvert().origin}/projects`)
    const opener = page.getByRole('button', { name: 'Search or go to…' })
    await opener.click()
    // Its code is loaded only now.
    await page.keyboard.type(eventId.slice(0, 12))
    const palette = page.getByRole('combobox', { name: 'Command palette' })
    await expect(palette).toHaveValue(eventId.slice(0, 12))
    await expect(page.getByRole('option').first()).toHaveText(
      `Digest, event or trace ${eventId.slice(0, 12)}`,
    )
    await palette.press('Escape')
    await expect(opener).toBeFocused()
    await page.keyboard.press('/')
    await palette.fill('empty cart')
    await page.getByRole('option', { name: 'Search all issues for “empty cart”' }).click()
    await expect(page).toHaveURL(/\/issues\?q=empty(%20|\+)cart&status=all/)
    await expect(page.getByRole('link', { name: 'The cart is empty' })).toBeVisible()
  },
)

test('a text typed into the header before the page is interactive stays, and searches @full', async ({
  page,
}) => {
  const hydrate = await delayHydration(page)
  await page.goto(`${culvert().origin}/releases`, { waitUntil: 'commit' })
  const input = page.getByRole('searchbox', { name: 'Search or paste an ID' })
  await input.pressSequentially('cart')
  hydrate()
  await waitUntilSettled(page)
  await expect(input).toBeFocused()
  await expect(input).toHaveValue('cart')
  await input.press('Enter')
  await expect(page).toHaveURL(/\/issues\?q=cart/)
  await expect(page.getByRole('link', { name: 'The cart is empty' })).toBeVisible()
})

test('the field of the header becomes the button of the palette once it is left empty @full', async ({
  page,
}) => {
  const hydrate = await delayHydration(page)
  await page.goto(`${culvert().origin}/releases`, { waitUntil: 'commit' })
  const input = page.getByRole('searchbox', { name: 'Search or paste an ID' })
  await input.focus()
  hydrate()
  await waitUntilSettled(page)
  await expect(input).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(input).toHaveCount(0)
  await page.getByRole('button', { name: 'Search or go to…' }).click()
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeFocused()
})
