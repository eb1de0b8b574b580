import { expect, onePageTest as test, serveCulvert } from './support/test.ts'

const culvert = serveCulvert(undefined, { variables: { CULVERT_OWN_TRACES_RATE: '1' } })

test('Culvert traces its own pages, their server functions and SQL, in its own project @full', async ({
  page,
}) => {
  await page.goto(`${culvert().origin}/issues`)
  await page.goto(`${culvert().origin}/releases`)
  // Stored a moment after the answer, and counted a moment after that.
  await expect
    .poll(async () => {
      await page.goto(`${culvert().origin}/performance?project=culvert`)
      return page.getByRole('link', { name: 'GET /releases' }).count()
    })
    .toBe(1)
  await page.getByRole('link', { name: 'GET /releases' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('GET /releases')
  const trace = page.locator('a[href^="/traces/"]').first()
  await expect(trace).toBeVisible()
  await trace.click()
  const rows = page.getByRole('treegrid', { name: 'Spans' }).getByRole('row')
  await expect(rows.filter({ hasText: 'function.tanstackstart' }).first()).toBeVisible()
  await expect(rows.filter({ hasText: 'select' }).first()).toBeVisible()
  // Neither its own storage, which would be traced again, nor values.
  await expect(rows.filter({ hasText: /trace_segments|INSERT/i })).toHaveCount(0)
})
