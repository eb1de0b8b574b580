import { DatabaseSync } from 'node:sqlite'
import type { Page, Request } from '@playwright/test'
import { pause, untilStill } from '#test/waiting.ts'
import type { Project } from './support/culvert.ts'
import { sendIssues } from './support/events.ts'
import { waitUntilSettled, openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let shop: Project

const culvert = shareCulvert(async (started) => {
  shop = await started.createProject('Shop')
  await sendIssues(shop, 140)
})

test.describe.configure({ timeout: 90_000 })

/** The rows that a user sees at a key press. */
interface Press {
  key: string
  /** The issue under the cursor. */
  cursor: string | null
  ticked: string[]
}

declare global {
  var presses: Press[]
  var notePress: (event: KeyboardEvent) => void
}

async function openStream(page: Page, search = ''): Promise<void> {
  watchChanges(page)
  await page.goto(`${culvert().origin}/issues${search}`)
  // Keys that are pressed earlier act once the code of the keyboard is loaded, on the rows of that time.
  await waitUntilSettled(page)
  await page.evaluate(() => {
    globalThis.presses = []
    globalThis.notePress = ({ key }) => {
      const row = document.activeElement?.closest('tr')
      const boxes = document.querySelectorAll<HTMLInputElement>('tbody input[type="checkbox"]:checked')
      globalThis.presses.push({
        key,
        cursor: row?.querySelector('a.row-link')?.getAttribute('href')?.slice('/issues/'.length) ?? null,
        ticked: [...boxes].map(({ value }) => value),
      })
    }
    globalThis.addEventListener('keydown', globalThis.notePress, { capture: true })
  })
}

const presses = (page: Page) => page.evaluate(() => globalThis.presses)

/** The status of every issue of the shop on the server. */
function readStatuses(): Map<string, string> {
  const database = new DatabaseSync(culvert().databasePath, { readOnly: true, timeout: 10_000 })
  const rows = database.prepare('SELECT id, status FROM issues WHERE project_id = ?').all(shop.id)
  database.close()
  return new Map(rows.map(({ id, status }) => [String(id), String(status)]))
}

/** Waits until all changes have been answered, then reads the statuses from the server. */
async function settle(page: Page): Promise<Map<string, string>> {
  // A change that waited for another one of the same issue is sent after it.
  await untilStill(200, () => posting.get(page)?.size ?? 0)
  return readStatuses()
}

/** By page: the number of changes that were sent and not answered. */
const posting = new WeakMap<Page, Set<Request>>()

function watchChanges(page: Page): void {
  const sent = new Set<Request>()
  posting.set(page, sent)
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/_serverFn/')) sent.add(request)
  })
  page.on('requestfinished', (request) => sent.delete(request))
  page.on('requestfailed', (request) => sent.delete(request))
}

async function listRows(page: Page, count: number): Promise<string[]> {
  const links = page.locator('tbody a.row-link')
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  return hrefs.slice(0, count).map((href) => href.slice('/issues/'.length))
}

for (const gapMs of [0, 100]) {
  test(`six times e, ${gapMs} ms apart, resolves six rows, each under the cursor`, async ({ page }) => {
    await openStream(page)
    const rows = await listRows(page, 8)
    await page.keyboard.press('j')
    await expect(page.locator('tbody a.row-link').first()).toBeFocused()
    for (let count = 0; count < 6; count++) {
      await page.keyboard.press('e')
      await pause(gapMs)
    }
    const pressed = (await presses(page)).slice(1)
    expect(pressed.map(({ cursor }) => cursor)).toEqual(rows.slice(0, 6))
    expect(pressed.flatMap(({ ticked }) => ticked)).toEqual([])
    const statuses = await settle(page)
    expect(rows.map((id) => statuses.get(id))).toEqual([
      ...Array.from({ length: 6 }, () => 'resolved'),
      'unresolved',
      'unresolved',
    ])
    await expect(page.locator('tbody :checked')).toHaveCount(0)
    await expect(page.locator(`tbody a[href="/issues/${rows[6]}"]`)).toBeFocused()
  })
}

/** Pseudorandom numbers from 0 to below 1, the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The expected effect of the keys on the issues in view. */
function applyPresses(statuses: Map<string, string>, seen: readonly Press[]): Map<string, string> {
  const after = new Map(statuses)
  const status = { e: 'resolved', m: 'archived' }
  for (const { key, cursor, ticked } of seen) {
    if (key !== 'e' && key !== 'm') continue
    const targets = ticked.length > 0 ? ticked : cursor === null ? [] : [cursor]
    for (const id of targets) after.set(id, status[key])
  }
  return after
}

for (const { seed, search } of [
  { seed: 1, search: '' },
  { seed: 2, search: '?status=all' },
  { seed: 3, search: '?status=archived' },
]) {
  test(`keys in any order and at any pace change the issues in view (${seed}${search}) @full`, async ({
    page,
  }) => {
    const random = createRandom(seed)
    const before = readStatuses()
    await openStream(page, search)
    const ticked = new Set<string>()
    for (let count = 0; count < 40; count++) {
      const key = 'jjjkxeem'[Math.floor(random() * 8)] ?? 'j'
      await page.keyboard.press(key)
      await pause([0, 0, 10, 40, 120][Math.floor(random() * 5)] ?? 0)
    }
    const seen = await presses(page)
    for (const { key, cursor, ticked: shown } of seen) {
      expect(shown.filter((id) => !ticked.has(id))).toEqual([])
      if (key === 'x' && cursor !== null) ticked.add(cursor)
    }
    expect(await settle(page)).toEqual(applyPresses(before, seen))
  })
}

test.describe('while links are prefetched:', () => {
  test.use({ prefetches: true })

  test('twenty issues are triaged with 31 key presses, none of which is lost', async ({ page }) => {
    await openStream(page)
    const rows = await listRows(page, 21)
    let count = 0
    const press = async (keys: string) => {
      for (const key of keys.split(' ')) {
        await page.keyboard.press(key)
        await pause(100)
        count += 1
      }
    }
    await press('j')
    await press('e e e e e m m m e e e e e m m')
    for (let opened = 0; opened < 5; opened++) await press('Enter e u')
    expect(count).toBeLessThanOrEqual(31)
    await expect(page.locator(`tbody a[href="/issues/${rows[20]}"]`)).toBeFocused()
    const statuses = await settle(page)
    const archived = new Set([5, 6, 7, 13, 14])
    expect(rows.map((id) => statuses.get(id))).toEqual(
      rows.map((_, at) => (at === 20 ? 'unresolved' : archived.has(at) ? 'archived' : 'resolved')),
    )
  })

  test('keys pressed during a navigation act on the new page @full', async ({ page }) => {
    await openStream(page)
    const rows = await listRows(page, 4)
    const [first = '', second = ''] = rows
    await page.keyboard.press('j')
    // No pause: the list is still shown at the next key presses.
    for (const key of ['Enter', 'e', 'u', 'm', 'j', 'e']) await page.keyboard.press(key)
    await expect(page).toHaveURL(/\/issues$/)
    await expect(page.locator(`tbody a[href="/issues/${first}"]`)).toHaveCount(0)
    await expect(page.locator(`tbody a[href="/issues/${second}"]`)).toHaveCount(0)
    const statuses = await settle(page)
    // Once the second row has left the list, the cursor is on the third, and j moves to the fourth.
    expect(rows.map((id) => statuses.get(id))).toEqual(['resolved', 'archived', 'unresolved', 'resolved'])
  })
})

test('after a change on an issue’s page, its list is shown at once and loaded again @full', async ({
  page,
}) => {
  await openStream(page, '?sort=first_seen')
  const [first = '', second = ''] = await listRows(page, 2)
  for (const key of ['j', 'Enter', 'e']) await page.keyboard.press(key)
  await expect(page.locator('.issue-header .badge')).toHaveText('resolved')
  await settle(page)
  await waitUntilSettled(page)
  const gate = Promise.withResolvers<void>()
  await page.route('**/_serverFn/**', async (route) => {
    await gate.promise
    await route.continue()
  })
  const listRequest = page.waitForRequest((request) => decodeURIComponent(request.url()).includes('"sort"'))
  await page.keyboard.press('u')
  await expect(page.locator(`tbody a[href="/issues/${second}"]`)).toBeVisible()
  await expect(page.locator(`tbody a[href="/issues/${first}"]`)).toHaveCount(0)
  gate.resolve()
  expect(await (await listRequest).response()).not.toBeNull()
  await expect(page.locator(`tbody a[href="/issues/${first}"]`)).toHaveCount(0)
})

test('a double click changes one issue, and does not click the button that appears @full', async ({
  page,
}) => {
  await openStream(page)
  const [first = '', second = ''] = await listRows(page, 2)
  await page.locator('tbody tr').first().getByRole('checkbox').check()
  const bar = page.getByRole('form', { name: 'Selected issues' })
  await bar.getByRole('button', { name: 'Resolve', exact: true }).dblclick()
  await expect(page.locator(`tbody a[href="/issues/${first}"]`)).toHaveCount(0)
  await expect(page).toHaveURL(/\/issues$/)
  expect((await settle(page)).get(first)).toBe('resolved')
  await openSettled(page, `${culvert().origin}/issues/${second}`)
  await page.getByRole('button', { name: 'Resolve', exact: true }).dblclick()
  await expect(page.locator('.issue-header .badge')).toHaveText('resolved')
  expect((await settle(page)).get(second)).toBe('resolved')
})
