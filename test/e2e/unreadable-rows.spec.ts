import { expectGoodLayout } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const culvert = shareCulvert(async (started) => {
  const { id } = await started.createProject('Shop')
  const organization = `(SELECT organization_id FROM projects WHERE id = ${id})`
  started.execute(`
    INSERT INTO alert_rules (id, organization_id, project_id, rule, created_at, revision)
      VALUES ('newer', ${organization}, ${id}, '{"name":"Predictions"}', 0, 1),
        ('newer 2', ${organization}, ${id}, '{"name":"Forecasts"}', 1, 2);
    INSERT INTO alert_destinations (id, organization_id, name, channel, settings, created_at)
      VALUES ('newer', ${organization}, 'Pigeons', 'pigeon', '{}', 0);
    INSERT INTO monitors (project_id, id, slug, name, kind, settings, badge_secret, created_at)
      VALUES (${id}, 'newer', 'nightly', 'Nightly backup', 'cron', '{}', 'secret', 0),
        (${id}, 'newer 2', 'weekly', 'Weekly report', 'cron', '{}', 'secret 2', 0)`)
})

for (const [path, problem, name, warning] of [
  [
    '/projects/shop/alerts',
    'cannot read the rule “Predictions”',
    'Forecasts',
    'A deleted rule can’t be restored, not even by the newer version.',
  ],
  [
    '/monitors',
    'cannot read the monitor “Nightly backup” of Shop',
    'Weekly report',
    'can’t be restored, not even by the newer version. Its issues remain.',
  ],
] as const) {
  test(`${path} names what a newer version has saved, and deletes it after a question @full`, async ({
    page,
  }) => {
    await page.goto(culvert().origin + path)
    await expect(page.getByText(problem)).toBeVisible()
    // A list of only such monitors has no empty table.
    await expect(page.getByRole('table')).toHaveCount(0)
    const entry = page.locator('.unreadable-entry').filter({ hasText: name })
    await entry.getByText('Delete…').click()
    await expect(entry).toContainText(warning)
    await expectGoodLayout(page)
    await entry.getByRole('button', { name: `Delete ${name}` }).click()
    await expect(entry).toHaveCount(0)
    await page.reload()
    await expect(page.getByText(problem)).toBeVisible()
    await expect(entry).toHaveCount(0)
  })
}

test('/settings/destinations names what a newer version has saved @full', async ({ page }) => {
  await page.goto(`${culvert().origin}/settings/destinations`)
  await expect(page.getByText('cannot read the settings')).toBeVisible()
  await expectGoodLayout(page)
})
