import { expectGoodLayout } from './support/layout-checks.ts'
import { expect, shareCulvert, test } from './support/test.ts'

const culvert = shareCulvert(async (started) => {
  const { id } = await started.createProject('Shop')
  const organization = `(SELECT organization_id FROM projects WHERE id = ${id})`
  started.execute(`
    INSERT INTO alert_rules (id, organization_id, project_id, rule, created_at, revision)
      VALUES ('newer', ${organization}, ${id}, '{"name":"Predictions"}', 0, 1);
    INSERT INTO alert_destinations (id, organization_id, name, channel, settings, created_at)
      VALUES ('newer', ${organization}, 'Pigeons', 'pigeon', '{}', 0);
    INSERT INTO monitors (project_id, id, slug, name, kind, settings, badge_secret, created_at)
      VALUES (${id}, 'newer', 'nightly', 'Nightly backup', 'cron', '{}', 'secret', 0)`)
})

for (const [path, problem] of [
  ['/projects/shop/alerts', 'cannot read the rule “Predictions”'],
  ['/settings/destinations', 'cannot read the settings'],
  ['/monitors', 'cannot read the monitor “Nightly backup” of Shop'],
] as const) {
  test(`${path} names what a newer version has saved`, async ({ page }) => {
    await page.goto(culvert().origin + path)
    await expect(page.getByText(problem)).toBeVisible()
    await expectGoodLayout(page)
  })
}

test('a list of only such monitors has no empty table', async ({ page }) => {
  await page.goto(`${culvert().origin}/monitors`)
  await expect(page.getByText('cannot read the monitor')).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
})
