import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dialog, Page } from '@playwright/test'
import * as v from 'valibot'
import { fullEvent, sendEvent, sendItems } from './support/events.ts'
import { openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const hostile = v.parse(
  v.record(v.string(), v.looseObject({})),
  JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/hostile-events/events.json'), 'utf8')),
)

/** The ids of the hostile events, by name. */
const eventIds = new Map<string, string>()

const culvert = shareCulvert(async (started) => {
  const project = await started.createProject('Shop')
  await sendEvent(project, fullEvent('PaymentError'))
  for (const [name, event] of Object.entries(hostile)) eventIds.set(name, await sendEvent(project, event))
  await sendItems(project, eventIds.get('markup') ?? '', [
    [
      { type: 'attachment', filename: '../../x.html\u0000.png', content_type: 'text/html' },
      '<script>alert(1)</script>',
    ],
  ])
})

test.describe.configure({ timeout: 120_000 })

/** Elements that hostile texts could have created, and links to other protocols than HTTP. */
async function findIntruders(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const made = [
      ...document.querySelectorAll('[onload], [onerror], [onclick], img, iframe, object, svg[onload]'),
    ]
    const links = [...document.querySelectorAll('[href], [src], [action], [formaction]')].flatMap((element) =>
      ['href', 'src', 'action', 'formaction'].flatMap((name) => {
        const value = element.getAttribute(name)
        if (value === null || element instanceof SVGUseElement) return []
        return /^https?:$/.test(new URL(value, location.href).protocol) ? [] : [`${name}=${value}`]
      }),
    )
    const scripts = [...document.scripts].filter((script) => script.nonce === '' && script.src === '')
    return [...made, ...scripts].map((element) => element.outerHTML.slice(0, 200)).concat(links)
  })
}

function failOnDialog(dialog: Dialog): void {
  throw new Error(`a script ran: ${dialog.message()}`)
}

/** The HTML of all screens is checked in hostile-screens.test.ts. */
test('no text of an event becomes a script, an element or a link in the browser', async ({ page }) => {
  const { origin } = culvert()
  page.on('dialog', failOnDialog)
  const visit = async (path: string) => {
    const answer = await openSettled(page, origin + path)
    expect(answer?.status(), path).toBe(200)
    expect(await findIntruders(page), path).toEqual([])
  }
  await visit('/issues?status=all')
  await expect(page.locator('a.row-link')).toHaveCount(Object.keys(hostile).length + 1)
  for (const name of ['markup', 'addresses', 'log']) await visit(`/events/${eventIds.get(name)}`)
  const everywhere = `/events/${eventIds.get('everywhere')}`
  await visit(`${everywhere}?frames=raw`)
  await visit(`${everywhere}?frames=all&crumbs=%3Csvg%20onload%3Dalert(1)%3E`)
  const sections = page.getByRole('navigation', { name: 'Issue sections' })
  for (const name of ['Events', 'Tags']) {
    const link = sections.getByRole('link', { name, exact: true })
    await link.click()
    await expect(link).toHaveAttribute('aria-current', 'page')
    expect(await findIntruders(page)).toEqual([])
  }
  await page.getByRole('table').getByRole('link').first().click()
  await page.waitForURL(/\/events\?/)
  expect(await findIntruders(page)).toEqual([])
  page.off('dialog', failOnDialog)
})
