import { openSettled } from './support/hydration.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const culvert = shareCulvert()

test('the palette finds guides and their headings without a request to elsewhere @full', async ({ page }) => {
  const { origin } = culvert()
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:')) elsewhere.push(url)
  })
  await openSettled(page, `${origin}/projects`)
  await page.getByRole('button', { name: 'Search or go to…' }).click()
  const field = page.getByRole('combobox', { name: 'Command palette' })
  await field.fill('postgresql tls')
  await page.getByRole('option', { name: /^TLS/ }).click()
  await expect(page).toHaveURL(`${origin}/docs/postgresql#tls`)
  await expect(page.getByRole('heading', { name: 'TLS', exact: true })).toBeInViewport()

  await page.getByRole('button', { name: 'Search or go to…' }).click()
  await field.fill('moving')
  await page.getByRole('option', { name: 'Moving to Culvert', exact: true }).click()
  await expect(page).toHaveURL(`${origin}/docs/moving`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(elsewhere).toEqual([])
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a quotation differs from the text', async ({ page }) => {
    await page.goto(`${culvert().origin}/docs/alerts`)
    await expect(page.locator('blockquote')).toHaveCSS('border-left-width', '3px')
  })
})
