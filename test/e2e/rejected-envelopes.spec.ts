import { expectGoodLayout } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const culvert = shareCulvert(async (started) => {
  const { id } = await started.createProject('Shop')
  const now = Date.now()
  started.execute(`
    INSERT INTO upstreams (project_id, id, dsn, kinds, source, is_paused, created_at, last_number, failed_count, failed_bytes)
      VALUES (${id}, '0123456789abcdef', 'https://${'a'.repeat(32)}@rejecting.example/7', 'all', 'settings', 1, 0, 2, 2, 4);
    INSERT INTO outbox (project_id, upstream_id, number, category, received_at, byte_count, failed_at, problem, body)
      VALUES (${id}, '0123456789abcdef', 1, 'error', ${now}, 2, ${now}, '413', x'7b7d'),
        (${id}, '0123456789abcdef', 2, 'transaction', ${now}, 2, ${now}, '400', x'7b7d')`)
})

test('a rejected envelope is deleted after a question, and so are all of them', async ({ page }) => {
  await page.goto(`${culvert().origin}/tunnel`)
  const rows = page.getByRole('row')
  const row = rows.filter({ hasText: '413 Payload Too Large' })
  await row.getByText('Delete…').click()
  await expect(row).toContainText('It will be lost.')
  await expectGoodLayout(page)
  await row.getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
  await expect(rows.filter({ hasText: '400 Bad Request' })).toBeVisible()
  await page.getByText('Delete all…').click()
  await page.getByRole('button', { name: 'Delete all' }).click()
  await expect(rows).toHaveCount(0)
})
