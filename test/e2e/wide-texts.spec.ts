import type { Page } from '@playwright/test'
import type { Project } from './support/culvert.ts'
import { sendEvent } from './support/events.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

/** Without a break opportunity. */
const long = 'W'.repeat(5_000)
const release = `shop@${long.slice(0, 190)}`

let shop: Project

const frame = {
  function: long,
  filename: `/srv/${long}.js`,
  module: long,
  lineno: 1,
  in_app: true,
  context_line: long,
  vars: { [long.slice(0, 100)]: long },
}

function wideEvent(type: string): object {
  return {
    platform: 'node',
    environment: 'e'.repeat(64),
    release,
    transaction: long.slice(0, 200),
    server_name: long,
    tags: { [long.slice(0, 32)]: long.slice(0, 200) },
    user: { id: long, email: long, username: long },
    request: {
      method: 'GET',
      url: `https://shop.example/${long}`,
      headers: { [long]: long },
      query_string: `${long}=${long}`,
    },
    contexts: { browser: { name: long, version: long }, os: { name: long }, [long]: { [long]: long } },
    extra: { [long]: long },
    breadcrumbs: { values: [{ category: long, message: long, data: { [long]: long } }] },
    exception: { values: [{ type, value: long, stacktrace: { frames: [frame] } }] },
  }
}

const culvert = shareCulvert(async (started) => {
  shop = await started.createProject('Shop')
  await sendEvent(shop, wideEvent(long))
  await sendEvent(shop, { ...wideEvent(long), user: { id: 'other' } })
  // Filtered: its sample has a title of the same length.
  await sendEvent(shop, {
    ...wideEvent('Error'),
    exception: { values: [{ type: 'Error', value: `NEXT_REDIRECT;replace;/${long};307;` }] },
  })
})

async function expectNothingTooWide(page: Page, what: string): Promise<void> {
  await waitUntilSettled(page)
  await page.evaluate(() => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>(
      'main details:not(:has(.menu-panel))',
    ))
      details.open = true
  })
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect.soft(await page.evaluate(findTooWide), `${what} at ${width} px`).toEqual([])
  }
}

/** Runs in the page: the first elements wider than the window that are neither clipped nor scrolled. */
function findTooWide(): string[] {
  const width = window.innerWidth
  if (document.documentElement.scrollWidth <= width) return []
  const isCut = (element: Element): boolean => {
    const around = element.parentElement
    if (around === null || around === document.body) return false
    return getComputedStyle(around).overflowX !== 'visible' || isCut(around)
  }
  const found = [...document.querySelectorAll('body *')].filter(
    (element) =>
      element.checkVisibility() && element.getBoundingClientRect().right > width + 0.5 && !isCut(element),
  )
  return found.slice(0, 6).map((element) => {
    const section = element.closest('section[id]')?.id ?? ''
    const { tagName, className, parentElement } = element
    return `#${section} ${parentElement?.parentElement?.className} > ${tagName}.${className}`
  })
}

test('texts of 5,000 characters without a break make no page wider than the window @full', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const visit = async (path: string) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(culvert().origin + path)
    await expectNothingTooWide(page, path.slice(0, 40))
  }
  await visit('/issues?status=all')
  const href = (await page.locator('a.row-link').first().getAttribute('href')) ?? '/missing'
  await openSettled(page, culvert().origin + href)
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.fill(
    `${long.slice(0, 1000)} \`${long.slice(0, 1000)}\` [${long.slice(0, 1000)}](https://a.example/)`,
  )
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.locator('.comment-text')).toBeVisible()
  await expectNothingTooWide(page, 'an issue with a comment')
  const eventHref = (await page.locator('.event-id a').getAttribute('href')) ?? '/missing'
  await visit(eventHref)
  await visit(`${eventHref}?frames=raw`)
  for (const path of ['/events', '/tags']) await visit(href + path)
  for (const path of ['/releases', `/releases/${release}?project=shop`, '/outcomes', '/projects'])
    await visit(path)
})

test('the names of the highlights of an event do not overlap @full', async ({ page }) => {
  await openSettled(page, `${culvert().origin}/issues?status=all`)
  await page.locator('a.row-link').first().click()
  const highlights = page.locator('.detail-main > .definitions')
  await expect(highlights.locator('dt')).toHaveCount(6)
  for (const width of [360, 768, 1110, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const cut = await highlights
      .locator('dt')
      .evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth).length)
    expect(cut, `${width} px`).toBe(0)
  }
})

test('a long title takes two lines of the inbox and of the decisions', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 900 })
  for (const [path, selector] of [
    ['/inbox?show=all', '.inbox .row-link'],
    ['/alerts', '.ledger p > a:not(:has(+ time))'],
  ] as const) {
    const title = page.locator(selector, { hasText: 'WWW' }).first()
    // The decision about the event follows its answer.
    await expect(async () => {
      await page.goto(culvert().origin + path)
      expect(await title.count()).toBe(1)
    }).toPass()
    const lines = await title.evaluate(
      (link) => link.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(link).lineHeight),
    )
    expect(Math.round(lines), path).toBe(2)
  }
})

test('an upload for a release with a long name is no wider than the window', async ({ page }) => {
  culvert().execute(
    `INSERT INTO artifact_bundles VALUES (${shop.id}, 1, x'${'ab'.repeat(20)}', '${release}', '', ${Date.now()}, ${Date.now()}, 1, 1, 9)`,
  )
  await openSettled(page, `${culvert().origin}/projects/shop/source-maps`)
  await page.setViewportSize({ width: 360, height: 900 })
  const { x = 0, width = 0 } =
    (await page.locator('.source-map-upload summary', { hasText: 'Delete' }).boundingBox()) ?? {}
  expect(x + width).toBeGreaterThan(0)
  expect(x + width).toBeLessThanOrEqual(360)
})
