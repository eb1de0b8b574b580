import { randomUUID } from 'node:crypto'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent, sendItems } from './support/events.ts'
import { expectAccessible } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let traceId = ''

const culvert = shareCulvert(async (started) => {
  const shop = await started.createProject('Shop')
  traceId = randomUUID().replaceAll('-', '')
  for (const fingerprint of ['first', 'second']) {
    await sendEvent(shop, {
      ...fullEvent('SameTitle'),
      fingerprint: [fingerprint],
      release: 'shop@1.2.0',
      contexts: { trace: { trace_id: traceId, span_id: 'b'.repeat(16) } },
    })
  }
  await sendSessions(shop, 'shop@1.0.0', { healthy: 9990, crashed: 10 })
  await sendSessions(shop, 'shop@1.1.0', { healthy: 9700, crashed: 300 })
  await sendSessions(shop, 'shop@1.2.0', { healthy: 6000, crashed: 4000 })
})

function sendSessions(project: Project, release: string, counts: { healthy: number; crashed: number }) {
  const { healthy, crashed } = counts
  const aggregates = [{ started: new Date().toISOString(), exited: healthy, crashed }]
  const attrs = { release, environment: 'production' }
  return sendItems(project, randomUUID().replaceAll('-', ''), [[{ type: 'sessions' }, { aggregates, attrs }]])
}

test('links of issues and events with the same title have distinct names', async ({ page }) => {
  for (const [path, name] of [
    ['/releases/shop@1.2.0', /^SameTitle SHOP-\w+$/],
    [`/digest/${traceId}`, /^SameTitle: .* [0-9a-f]{32}$/],
  ] as const) {
    await page.goto(culvert().origin + path)
    const links = page.locator('main li .row-link')
    await expect(links).toHaveCount(2)
    await expect(page.getByRole('listitem').getByRole('link', { name })).toHaveCount(2)
    const names = await links.evaluateAll((all) => all.map((link) => link.ariaLabel))
    expect(new Set(names).size).toBe(2)
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test(
    'a low crash-free rate is marked, with its difference to the previous release',
    { tag: '@postgres' },
    async ({ page }) => {
      await page.goto(`${culvert().origin}/releases?sort=version`)
      const cells = page.locator('tbody td[data-name="crash-free sessions"]')
      await expect(cells).toHaveText([
        '!! 60.0% very low↓ 37.037.0 points below shop@1.1.0 (97.00%)',
        '! 97.00% low↓ 2.902.90 points below shop@1.0.0 (99.900%)',
        '99.900%',
      ])
      const colours = await cells
        .locator('.crash-free')
        .evaluateAll((rates) => rates.map((rate) => getComputedStyle(rate).color))
      expect(new Set(colours).size).toBe(3)
      await page.goto(`${culvert().origin}/releases?q=shop`)
      await expect(page.locator('.rate-change')).toHaveCount(0)
      await page.goto(`${culvert().origin}/releases/shop@1.2.0`)
      await expect(page.locator('#health dd').first()).toContainText('60.0% very low')
      await expect(page.locator('#health dd').first()).toContainText('37.0 points below shop@1.1.0 (97.00%)')
    },
  )
})

test('marked rates are accessible @full', async ({ page }) => {
  for (const path of ['/releases', '/releases/shop@1.2.0']) {
    await page.goto(culvert().origin + path)
    await expect(page.locator('.crash-free[data-rate="very low"]').first()).toBeVisible()
    await expectAccessible(page)
  }
})
