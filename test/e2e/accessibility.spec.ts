import type { Locator, Page } from '@playwright/test'
import { fullEvent, sendEvent, sendIssues } from './support/events.ts'
import { openSettled } from './support/hydration.ts'
import { expectAccessible } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const culvert = shareCulvert(async (started) => {
  const shop = await started.createProject('Shop')
  await sendIssues(shop, 3)
  for (const level of ['error', 'fatal']) {
    await sendEvent(shop, { ...fullEvent('PaymentError'), level, environment: 'production' })
  }
})

async function open(page: Page, path: string): Promise<void> {
  await openSettled(page, culvert().origin + path)
}

const issueLink = (page: Page) => page.locator('.row-link').first()
const announced = (page: Page) => page.locator('main').locator('p.visually-hidden[role="status"]')

test('a newly opened page is announced, and focused only if the clicked link is gone', async ({ page }) => {
  await open(page, '/issues')
  await expect(announced(page)).toHaveText('')
  // The same page with other filters is not new.
  await page.getByLabel('Sort by').selectOption('users')
  await expect(page).toHaveURL(/sort=users/)
  await expect(announced(page)).toHaveText('')

  await issueLink(page).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/issues\/\d+$/)
  await expect(page.locator('main')).toBeFocused()
  await expect(announced(page)).toHaveText(await page.title())
  expect(await page.title()).not.toBe('Issues · Culvert')

  const link = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Releases' })
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/releases$/)
  await expect(announced(page)).toHaveText('Releases · Culvert')
  await expect(link).toBeFocused()
})

/** The colours and lines of an element that depend on its state. */
function lookOf(element: Locator): Promise<string> {
  return element.evaluate((node) => {
    const { color, backgroundColor, borderTopStyle, borderTopWidth, outlineStyle, borderInlineStartColor } =
      getComputedStyle(node)
    return [
      color,
      backgroundColor,
      borderTopStyle,
      borderTopWidth,
      outlineStyle,
      borderInlineStartColor,
    ].join()
  })
}

async function expectDifferent(one: Locator, other: Locator): Promise<void> {
  await expect(one).toBeVisible()
  await expect(other).toBeVisible()
  expect(await lookOf(one)).not.toBe(await lookOf(other))
}

test('each state looks different in forced colours', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await open(page, '/issues')
  const screens = page.getByRole('navigation', { name: 'Screens' })
  await expectDifferent(screens.locator('[aria-current]'), screens.getByRole('link', { name: 'Forwarding' }))
  await expect(page.locator('.brand[aria-current]')).toHaveCSS('background-color', /, 0\)$/)
  const tabs = page.getByRole('navigation', { name: 'Status' })
  await expectDifferent(tabs.locator('[aria-current]'), tabs.getByRole('link', { name: 'Archived' }))

  await page.keyboard.press('Control+k')
  const options = page.getByRole('dialog').getByRole('option')
  await expectDifferent(page.getByRole('dialog').getByRole('option', { selected: true }), options.nth(1))
  await page.keyboard.press('Escape')

  await page.locator('.row-link', { hasText: 'PaymentError' }).click()
  const lines = page.locator('.source li')
  await expectDifferent(page.locator('.source li[aria-current]').first(), lines.first())
  const disabled = page
    .locator('.event-navigation [aria-disabled="true"], nav [aria-disabled="true"]')
    .first()
  await expectDifferent(disabled, page.getByRole('link', { name: /^(First|Previous|Latest|Next)$/ }).first())
  await expect(page.locator('.badge').first()).not.toHaveCSS('border-top-style', 'none')
  await expect(page.getByRole('button', { name: /^Account:/ })).not.toHaveCSS('border-top-style', 'none')
})

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('not shown')
  return { ...box, right: box.x + box.width }
}

test('the header shows every screen, in one row on a desktop, in two on small ones @full', async ({
  page,
}) => {
  await open(page, '/issues')
  for (const [width, rows] of [
    [1440, 1],
    [768, 2],
    // A desktop at 200 % zoom.
    [720, 2],
    [360, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    const brand = await boxOf(page.getByRole('link', { name: 'Culvert, all issues' }))
    const search = await boxOf(page.getByRole('button', { name: 'Search or go to…' }))
    const account = await boxOf(page.getByRole('button', { name: /^Account:/ }))
    expect(brand.right).toBeLessThanOrEqual(search.x)
    expect(search.right).toBeLessThanOrEqual(account.x)
    expect(Math.abs(brand.y + brand.height / 2 - (account.y + account.height / 2))).toBeLessThan(4)
    const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
    await expect(links.filter({ hasText: /^(Performance|Ingestion|Forwarding|Find event)$/ })).toHaveCount(4)
    for (const link of await links.all()) {
      // On a phone the second row scrolls.
      await link.scrollIntoViewIfNeeded()
      const box = await boxOf(link)
      expect(box.right).toBeLessThanOrEqual(width)
      expect(box.height).toBeGreaterThanOrEqual(24)
    }
    const { height } = await boxOf(page.locator('.site-header'))
    expect(height, `at ${width} px`).toBeLessThan(rows === 1 ? 56 : 90)
  }
  await open(page, '/projects')
  await expect(page.locator('.site-nav [aria-current]')).toBeInViewport({ ratio: 1 })
})

test('the links among the facts of an issue are 24 px high on a phone', async ({ page }) => {
  await open(page, '/issues')
  await page.locator('.row-link', { hasText: 'PaymentError' }).click()
  await page.setViewportSize({ width: 360, height: 740 })
  for (const [name, count] of [
    ['production', 1],
    ['ada@example.com', 1],
    ['POST /checkout', 1],
    ['https://shop.example/checkout', 1],
    // Of the event, the first and the last.
    ['shop@1.2.3', 3],
  ] as const) {
    const links = page.locator('.definitions[data-layout="facts"]').getByRole('link', { name })
    await expect(links).toHaveCount(count)
    for (const link of await links.all()) expect((await boxOf(link)).height).toBeGreaterThanOrEqual(24)
  }
})

test('every state of a screen is accessible, in every look @full', async ({ page }) => {
  test.setTimeout(240_000)
  const states: Record<string, () => Promise<void>> = {
    'the menu of the account': async () => {
      await open(page, '/issues')
      await page.getByRole('button', { name: /^Account:/ }).click()
    },
    'the suggestions of the search': async () => {
      await open(page, '/issues')
      await page.getByLabel('Search issues').fill('lev')
      await expect(page.getByRole('listbox', { name: 'Suggestions' })).toBeVisible()
    },
    'what a search got wrong': async () => {
      await open(page, '/issues?q=is:nothing')
      await expect(page.getByRole('alert')).toBeVisible()
    },
    'the saved searches': async () => {
      await open(page, '/issues')
      await page.locator('.saved-searches summary').click()
    },
    'the bar for selected issues, with a menu': async () => {
      await open(page, '/issues')
      await page.locator('.select-box input').nth(1).check()
      await page.locator('.bulk-bar summary').first().click()
    },
    'the menus of an issue': async () => {
      await open(page, '/issues')
      await issueLink(page).click()
      await page.locator('.issue-actions summary').first().click()
      await expect(page.locator('.issue-actions details[open]')).toBeVisible()
    },
    'every part of an event unfolded': async () => {
      await open(page, '/issues')
      await page.locator('.row-link', { hasText: 'PaymentError' }).click()
      await expect(page.locator('.stack-trace').first()).toBeVisible()
      await page.evaluate(() =>
        document.querySelectorAll('main details:not(.menu)').forEach((each) => each.setAttribute('open', '')),
      )
    },
    'a form with errors': async () => {
      await open(page, '/projects/shop/limits')
      await page.getByLabel('Keep events for (days)').fill('none')
      await page.getByRole('region', { name: 'Retention' }).getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Enter a whole number of at least 1.')).toBeVisible()
    },
    'the name and limits of a key': async () => {
      await open(page, '/projects/shop/keys')
      await page.locator('.key-edit summary').first().click()
    },
    'a notice': async () => {
      await open(page, '/settings')
      await page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click()
      await expect(page.locator('.notice')).toHaveText('Name saved.')
    },
  }
  for (const [name, show] of Object.entries(states)) {
    await test.step(name, async () => {
      await show()
      await expectAccessible(page)
    })
  }
})
