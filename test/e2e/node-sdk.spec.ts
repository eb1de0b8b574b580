import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Project } from './support/culvert.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let project: Project

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Orders')
})

/** Runs the program to its end; it exits with 0 only if its SDK could flush. */
async function runNodeApp(dsn: string): Promise<void> {
  const program = join(import.meta.dirname, 'fixtures/node-app.ts')
  await promisify(execFile)(process.execPath, [program], { env: { ...process.env, SENTRY_DSN: dsn } })
}

test('the errors of a Node.js process are an issue as soon as its SDK has flushed', async ({ page }) => {
  for (let run = 0; run < 2; run += 1) await runNodeApp(project.dsn)
  await page.goto(`${culvert().origin}/issues`)
  const row = page.getByRole('row').filter({ hasText: 'OrderError' })
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('Order o_17 has no address')
  await expect(row).toContainText('shipOrder')
  await expect(row).toContainText('ORDERS-1')
  await expect(row.locator('.count-cell').first()).toHaveText('2')
  await expect(row.locator('.count-cell').nth(1)).toHaveText('1')

  await row.getByRole('link', { name: 'OrderError' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('OrderError')
  const frames = page.locator('details.frame[open]')
  await expect(frames.first()).toContainText('shipOrder')
  await expect(frames.first()).toContainText('node-app.ts:19')
  await expect(frames.first().locator('[aria-current=location]')).toContainText('throw new OrderError(')
  await expect(frames.nth(1)).toContainText('runNightly')
  const tags = page.getByRole('region', { name: 'Issue tags' })
  for (const text of ['environment', 'staging', 'release', 'orders@3.1.4', 'region', 'eu-central']) {
    await expect(tags).toContainText(text)
  }
  const breadcrumbs = page.getByRole('region', { name: 'Breadcrumbs' })
  await expect(breadcrumbs).toContainText('select * from orders')
  await expect(page.getByRole('region', { name: 'User' })).toContainText('grace@example.com')
})
