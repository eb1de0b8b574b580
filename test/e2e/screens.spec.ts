import { DatabaseSync } from 'node:sqlite'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { cspReport, fullEvent, sendEvent, sendIssues, sendItems } from './support/events.ts'
import { expect, test, serveCulvert } from './support/test.ts'

let eventId = ''
const reportId = 'c59'.padEnd(32, '0')
/** Two events have ids that begin like this. */
const sharedDigest = 'c0ffee00c0ff'

const culvert = serveCulvert(async (started) => {
  const project = await started.createProject('Shop')
  await sendIssues(project, 50)
  eventId = await sendEvent(project, fullEvent('PaymentError'))
  await sendItems(project, eventId, [
    [{ type: 'attachment', filename: `${'a-long-name-'.repeat(20)}.log` }, 'log'],
    [{ type: 'user_report' }, { name: 'Jane', email: 'jane@example.com', comments: 'It ate my order' }],
  ])
  await sendItems(project, reportId, [[{ type: 'raw_security' }, cspReport]])
  await sendEvent(project, { ...fullEvent('AddressError'), environment: 'staging' })
  await sendEvent(project, fullEvent('PaymentError'), `${sharedDigest}${'1'.repeat(20)}`)
  await sendEvent(project, fullEvent('CartError'), `${sharedDigest}${'2'.repeat(20)}`)
})

// Accessibility is checked in every combination, which takes its time on a busy machine.
test.describe.configure({ timeout: 120_000 })

const schemes = ['light', 'dark'] as const
const widths = [360, 1440]

/** Fails unless the screen that is open is accessible in both colour schemes and at both ends of the widths. */
async function expectGoodLooks(page: Page): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      // Legacy mode looks at this page's own frame only, and there is no other; the other mode takes twice as long.
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
      const findings = violations.map(
        ({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
      )
      expect(findings, `${colorScheme}, ${width} px`).toEqual([])
    }
  }
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth), 'content width at 320 px').toBe(320)
}

/** Opens a screen and waits until it is interactive and its own monitoring has started. */
async function open(page: Page, path: string): Promise<number | undefined> {
  const response = await page.goto(culvert().origin + path)
  await page.waitForLoadState('networkidle')
  return response?.status()
}

const screens: Record<string, () => string> = {
  'the full stream': () => '/issues',
  'a filtered stream': () => '/issues?status=all&project=shop&environment=staging&sort=events',
  'a stream that nothing matches': () => '/issues?status=resolved',
  'an event': () => `/events/${eventId}`,
  'a security report': () => `/events/${reportId}`,
  'the digest lookup': () => '/digest',
  'a digest with several events': () => `/digest/${sharedDigest}`,
  'a digest without an event': () => '/digest/000000000000',
  'the list of projects': () => '/projects',
  'the list of outcomes': () => '/outcomes',
}

for (const [name, path] of Object.entries(screens)) {
  test(`${name} is accessible, fits and is quiet`, async ({ page }) => {
    expect(await open(page, path())).toBe(200)
    await expectGoodLooks(page)
  })
}

test('an issue is accessible, fits and is quiet', async ({ page }) => {
  await open(page, '/issues')
  await page.getByRole('link', { name: 'PaymentError' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('PaymentError')
  await page.reload()
  await page.waitForLoadState('networkidle')
  await expectGoodLooks(page)
})

test('dead letters are accessible, fit, are quiet, and can be run again', async ({ page }) => {
  const { origin, databasePath } = culvert()
  await open(page, '/outcomes/dead-letters')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('No dead letters')
  await expectGoodLooks(page)

  const database = new DatabaseSync(databasePath)
  const bury = database.prepare(
    `INSERT INTO dead_letters (project_id, id, item_type, category, reason, received_at, origin, payload)
     VALUES (1, ?, 'event', 'error', ?, ?, '{}', ?)`,
  )
  bury.run(crypto.randomUUID(), "Cannot read properties of undefined (reading 'frames')", Date.now(), payload)
  bury.run(crypto.randomUUID(), 'x'.repeat(200), Date.now() - 3_600_000, payload)
  database.close()
  await page.goto(`${origin}/outcomes`)
  await page.getByRole('link', { name: '2 dead letters' }).click()
  const again = page.getByRole('button', { name: 'Run again' })
  await expect(again).toHaveCount(2)
  await page.reload()
  await page.waitForLoadState('networkidle')
  await expectGoodLooks(page)
  await again.first().click()
  await expect(page.getByText('Run again: the item has been taken in.')).toBeVisible()
  await expect(again).toHaveCount(1)
})

const payload = Buffer.from('{"message":"buried"}')

test('what is not found is accessible, fits and is quiet', async ({ page, problems }) => {
  problems.expect(/status of 404/)
  expect(await open(page, '/nowhere')).toBe(404)
  await expectGoodLooks(page)
})

test('the failure page is accessible, fits and is quiet', async ({ page, problems }) => {
  problems.expect(/status of 500/)
  const database = new DatabaseSync(culvert().databasePath)
  database.exec('alter table projects rename column created_at to created_at_hidden')
  try {
    expect(await open(page, '/projects')).toBe(500)
    await expectGoodLooks(page)
  } finally {
    database.exec('alter table projects rename column created_at_hidden to created_at')
    database.close()
  }
})

test.describe('in an empty installation', () => {
  const empty = serveCulvert()

  for (const path of ['/issues', '/projects']) {
    test(`${path} is accessible, fits and is quiet`, async ({ page }) => {
      await page.goto(empty().origin + path)
      await page.waitForLoadState('networkidle')
      await expectGoodLooks(page)
    })
  }
})
