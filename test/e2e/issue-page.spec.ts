import type { Locator, Page } from '@playwright/test'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent } from './support/events.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { findIssuePath } from './support/issue-path.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const lines = (name: string) => Array.from({ length: 7 }, (_, index) => `  ${name}(${index})`)

const frame = (fn: string, file: string) => ({
  function: fn,
  filename: `/srv/shop/api/${file}`,
  lineno: 55,
  colno: 11,
  in_app: true,
  pre_context: lines('before'),
  context_line: `  throw new Error('${fn}')`,
  post_context: lines('after'),
})

const exception = (type: string, value: string) => ({
  type,
  value,
  mechanism: { type: 'generic', handled: true },
  stacktrace: { frames: [frame('answer', 'server.ts'), frame('chargeCard', 'payment.ts')] },
})

/** An event like those of server SDKs: a cause, seven lines of source on each side, 100 breadcrumbs. */
function serverEvent(): object {
  return {
    ...fullEvent('PaymentDeclinedError'),
    exception: {
      values: [
        exception('GatewayError', 'answered 402'),
        exception('PaymentDeclinedError', 'Card declined: insufficient_funds'),
      ],
    },
    extra: { password: 'taken out' },
    breadcrumbs: {
      values: Array.from({ length: 100 }, (_, index) => ({
        timestamp: Date.now() / 1000 - 100 + index,
        category: 'http',
        message: `GET /page/${index}`,
      })),
    },
  }
}

const sql = Array.from({ length: 30 }, (_, line) => `  SELECT column_${line} FROM table_${line}`).join('\n')
const words = 'word '.repeat(174)

const failed = (type: string, value: string) => ({ ...exception(type, value), mechanism: undefined })
const withoutFrames = (type: string, value: string) => ({ type, value })

/** Events whose texts could push the stack trace down, by what is special about them. */
const pushingEvents: Record<string, object> = {
  'a value of many lines': { exception: { values: [failed('SqlError', sql)] } },
  'a value of one long line': { exception: { values: [failed('WordError', words)] } },
  'a long value with a scrubbed part': {
    exception: { values: [failed('ScrubbedError', `card 4111 1111 1111 1111 ${words}`)] },
  },
  'a long type': { exception: { values: [failed('shop.payment.'.repeat(18), words)] } },
  'a long transaction': {
    transaction: 'shop/payment/'.repeat(14),
    exception: { values: [failed('RouteError', words)] },
  },
  'a long message beside the exception': {
    logentry: { formatted: sql },
    exception: { values: [failed('LoggedError', words)] },
  },
  'a chain whose top has no frames': {
    exception: { values: [failed('RootError', 'answered 402'), withoutFrames('TopError', 'Card declined')] },
  },
  'a chain of long texts whose top has no frames': {
    exception: {
      values: [
        failed('LongRootError', sql),
        { ...withoutFrames('LongTopError', words), stacktrace: { frames: [] } },
      ],
    },
  },
  'a chain whose top three have no frames': {
    exception: {
      values: [
        failed('DeepRootError', 'answered 402'),
        withoutFrames('ThirdError', words),
        withoutFrames('SecondError', words),
        withoutFrames('FirstError', 'Card declined'),
      ],
    },
  },
}

let serverEventId = ''
/** By what is special about the event. */
const pushingIds = new Map<string, string>()
/** Of events with a message that is longer than the heading. */
const longIds: [eventId: string, value: string][] = []

const culvert = shareCulvert(async (started) => {
  const project = await started.createProject('Shop')
  // A project for each, because the same frames are the same issue. All before the first event, because a
  // server on PostgreSQL looks for unknown keys at intervals.
  const pushingProjects = new Map<string, Project>()
  for (const name of Object.keys(pushingEvents)) pushingProjects.set(name, await started.createProject(name))
  const longProjects = [await started.createProject('Long SQL'), await started.createProject('Long words')]
  // In the same hour, which is a bar of the trend.
  const at = Date.now() / 1000
  for (const [index, release] of ['web@1', 'web@2', 'web@2'].entries()) {
    const event = { ...fullEvent('PaymentError'), release, tags: { region: release } }
    await sendEvent(project, { ...event, timestamp: at + index / 1000 })
  }
  serverEventId = await sendEvent(project, serverEvent())
  for (const [name, pushed] of pushingProjects) {
    const event = { ...fullEvent('Any'), breadcrumbs: undefined, ...pushingEvents[name] }
    pushingIds.set(name, await sendEvent(pushed, event))
  }
  for (const [index, long] of longProjects.entries()) {
    const value = index === 0 ? sql : words
    longIds.push([await sendEvent(long, { exception: { values: [failed('LongError', value)] } }), value])
  }
})

test(
  'the trend of an issue links to its events, which have several views',
  { tag: '@postgres' },
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${culvert().origin}/issues?status=all`)
    await page.getByRole('link', { name: 'PaymentError' }).click()
    await expect(page.getByText('3 of 3', { exact: true })).toBeVisible()
    await page.getByText('Export', { exact: true }).click()
    await page.getByRole('link', { name: 'Copy as Markdown' }).click()
    await expect(page.getByText('Copied', { exact: true })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('# `PaymentError`')
    await page.getByRole('link', { name: 'Copy for an agent' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^Find the cause of the error below[^]*# `PaymentError`/)
    // A bar is a link in the drawing: the table has the same link for the keyboard.
    await page.locator('.trend-bars a').last().click()
    await page.waitForURL(/\/events\?since=/)
    const rows = page.getByRole('table', { name: 'Events' }).locator('tbody tr')
    await expect(rows).toHaveCount(3)
    const time = rows.first().locator('time')
    await expect(time).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/)
    await expect(time).toHaveAttribute('title', /^just now$| ago$/)
    await page.locator('select[name="release"]').selectOption('web@1')
    await expect(rows).toHaveCount(1)
    await rows.getByRole('link').click()
    await expect(page.getByText('1 of 3', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Raw' }).click()
    await expect(page.locator('.raw-trace')).toContainText('PaymentError')
    await page.getByRole('link', { name: 'Next' }).click()
    await expect(page.getByText('2 of 3', { exact: true })).toBeVisible()
    await expect(page.locator('.raw-trace')).toBeVisible()
  },
)

const throwingLine = (page: Page) => page.locator('.source [aria-current="location"]').first()

/** The bottom edge of an element, in pixels from the top of the window. */
async function endOf(element: Locator): Promise<number> {
  const box = await element.boundingBox()
  return box === null ? Infinity : box.y + box.height
}

async function openServerIssue(page: Page): Promise<void> {
  await page.goto(culvert().origin + (await findIssuePath(culvert(), serverEventId)))
}

/** Window sizes, and the lowest allowed position of the failing line. */
const windowSizes = [
  [1440, 900, 600],
  [1280, 720, 560],
] as const

test('an issue page has its parts in place at every width @full', async ({ page }) => {
  test.setTimeout(120_000)
  await openServerIssue(page)
  await test.step('a phone shows the counts of the issue above the event', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const counts = page.locator('.detail-facts')
    await expect(counts).toContainText(/Events.*Users.*Last seen.*First seen/)
    // No box while the page is laid out for another width.
    await expect(async () => {
      const [box, event] = [await counts.boundingBox(), await page.locator('.event-navigation').boundingBox()]
      // One line of names and one of values.
      expect(box?.height ?? Infinity).toBeLessThan(60)
      expect(box?.y ?? Infinity).toBeLessThan(event?.y ?? 0)
    }).toPass()
  })
  await test.step('the failing line is on the first screen', async () => {
    await expectFailingLine(page, 'Issue')
    await page.setViewportSize({ width: 1099, height: 800 })
    await expect(async () => {
      const [trace, facts] = [
        await throwingLine(page).boundingBox(),
        await page.locator('.trend').boundingBox(),
      ]
      expect(trace?.y ?? Infinity).toBeLessThan(facts?.y ?? 0)
    }).toPass()
  })
  await test.step('the menus of the actions fit the screen', async () => {
    for (const width of [1440, 1000, 768, 360]) {
      await page.setViewportSize({ width, height: 900 })
      const summary = page.getByLabel('Archive options')
      const panel = page.locator('.menu[open] .menu-panel')
      // A menu closes when the page is laid out for another width.
      await expect(async () => {
        if ((await panel.count()) === 0) await summary.click()
        await expect(panel).toBeVisible({ timeout: 1_000 })
        const box = await panel.boundingBox()
        expect(box?.x).toBeGreaterThanOrEqual(0)
        expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(width)
      }).toPass()
      await summary.click()
    }
  })
  await test.step('the pages of the issue have their tabs in the same place', async () => {
    const tabs = page.getByRole('navigation', { name: 'Issue sections' })
    for (const width of [1440, 1100, 360]) {
      await page.setViewportSize({ width, height: 900 })
      const places = []
      for (const name of ['Issue', 'Events', 'Tags']) {
        await tabs.getByRole('link', { name, exact: true }).click()
        await expect(tabs.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page')
        const box = await tabs.boundingBox()
        const trail = await page.getByRole('navigation', { name: 'Breadcrumb' }).boundingBox()
        places.push(`${box?.x} ${width < 1100 || box?.y === undefined ? 'below' : box.y - (trail?.y ?? 0)}`)
      }
      expect(new Set(places).size, places.join(', ')).toBe(1)
    }
  })
})

test('the failing line is on the first screen whatever the texts above it are @full', async ({ page }) => {
  test.setTimeout(120_000)
  for (const [name, eventId] of pushingIds) {
    await test.step(name, async () => {
      await page.goto(`${culvert().origin}/events/${eventId}`)
      await expectFailingLine(page, 'Event')
      await page.getByRole('link', { name: 'Issue', exact: true }).click()
      await page.waitForURL(/\/issues\/\d+$/)
      await expectFailingLine(page, 'Issue')
    })
  }
})

async function expectFailingLine(page: Page, screen: string): Promise<void> {
  for (const [width, height, lowest] of windowSizes) {
    await page.setViewportSize({ width, height })
    await expect.poll(() => endOf(throwingLine(page)), `${screen} at ${width}`).toBeLessThanOrEqual(lowest)
  }
}

test('the path of a frame can be selected with the mouse, and the frame stays open @full', async ({
  page,
}) => {
  await openServerIssue(page)
  await waitUntilSettled(page)
  const frameLine = page.locator('.frame[open] > summary').first()
  const { left, right, middle } = await frameLine.locator('.frame-file').evaluate((file) => {
    const box = file.getBoundingClientRect()
    return { left: box.left + 2, right: box.right - 2, middle: box.top + box.height / 2 }
  })
  await page.mouse.move(left, middle)
  await page.mouse.down()
  await page.mouse.move(right, middle, { steps: 8 })
  await page.mouse.up()
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('ayment.t')
  const details = page
    .locator('.frame')
    .filter({ has: page.locator('summary', { hasText: 'chargeCard' }) })
    .first()
  await expect(details).toHaveAttribute('open')
  await page.mouse.click(left, middle)
  await expect(details).not.toHaveAttribute('open')
})

test('a printed issue has its content and no controls @full', async ({ page }) => {
  await openServerIssue(page)
  await waitUntilSettled(page)
  const controls = page.locator('.button, .icon-button, textarea').filter({ visible: true })
  await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(controls).toHaveCount(0)
  await expect(throwingLine(page)).toBeVisible()
})

test('a message longer than the heading opens below it @full', async ({ page }) => {
  for (const [eventId, value] of longIds) {
    await page.goto(`${culvert().origin}/events/${eventId}`)
    await page.getByText('Show full message').click()
    await expect(page.locator('.exception-value')).toContainText(value.slice(-20).trim())
    await page.getByText('Show less').click()
    await expect(page.locator('.exception-value')).toBeHidden()
  }
})

test('the event page resolves its issue, and shows its tags, and links by release, user and URL', async ({
  page,
}) => {
  await openSettled(page, `${culvert().origin}/events/${serverEventId}`)
  const sections = page.getByRole('navigation', { name: 'Issue sections' })
  await expect(sections.getByRole('link', { name: 'Events' })).toHaveAttribute('aria-current', 'true')
  const screens = page.getByRole('navigation', { name: 'Screens' })
  await expect(screens.getByRole('link', { name: 'Issues' })).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  await expect(page.locator('.issue-header .badge')).toHaveText('archived')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.locator('.issue-header .badge')).toHaveText('unresolved')
  // As on the issue's page, so that the columns stay in place from one event to the next.
  const tags = page.getByRole('region', { name: 'Issue tags' })
  await expect(tags.getByText('Identical in all events')).toBeVisible()
  await expectGoodLayout(page)
  const facts = page.locator('.detail-main > .definitions')
  for (const [name, found] of [
    ['ada@example.com', /user\.email%3Aada%40example\.com/],
    ['POST /checkout', /transaction%3A%22POST(\+|%20)%2Fcheckout%22/],
    ['https://shop.example/checkout', /q=url%3Ahttps/],
    ['production', /environment%3Aproduction/],
  ] as const) {
    await facts.getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(found)
    await expect(page.getByRole('link', { name: 'PaymentDeclinedError' })).toBeVisible()
    await page.goBack()
  }
  await facts.getByRole('link', { name: 'shop@1.2.3' }).click()
  await expect(page).toHaveURL(/\/releases\/shop/)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the last eight breadcrumbs are shown, the newest first, and a link shows all @full', async ({
    page,
  }) => {
    await page.goto(`${culvert().origin}/events/${serverEventId}`)
    const rows = page.locator('.breadcrumb-table tbody tr')
    await expect(rows).toHaveCount(8)
    await expect(rows.first()).toContainText('GET /page/99')
    await expect(rows.last()).toContainText('GET /page/92')
    await page.getByRole('link', { name: 'Show all 100' }).click()
    await expect(rows).toHaveCount(100)
    await expect(rows.last()).toContainText('GET /page/0')
    await page.getByRole('link', { name: 'Show the last 8' }).click()
    await expect(rows).toHaveCount(8)
  })

  test('the views are links, the filters a form, and Markdown a page', async ({ page }) => {
    await page.goto(`${culvert().origin}/issues?status=all`)
    await page.getByRole('link', { name: 'PaymentError' }).click()
    await page.getByRole('link', { name: '90 d' }).click()
    await expect(page.getByRole('link', { name: '90 d' })).toHaveAttribute('aria-current')
    await page.getByRole('link', { name: 'Raw' }).click()
    await expect(page.locator('.raw-trace')).toContainText('PaymentError')
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByLabel('Tag').fill('region')
    await page.getByLabel('is', { exact: true }).fill('web@2')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByRole('table', { name: 'Events' }).locator('tbody tr')).toHaveCount(2)
  })
})
