import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

const culvert = shareCulvert()

const addresses = {
  'an unknown address': '/no/such/screen',
  'an unknown issue': '/issues/4611686018427387904',
  'an issue id that is none': '/issues/not-a-number',
  'an unknown event': `/events/${'0'.repeat(32)}`,
  'an event id that is none': '/events/xyz',
}

for (const [name, path] of Object.entries(addresses)) {
  test(`${name} is answered 404 with a page that names the problem`, async ({ page, problems }) => {
    problems.expect(/status of 404/)
    const response = await page.goto(culvert().origin + path)
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not found')
    await expect(page.getByRole('region', { name: 'Lookup' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Go to the issues' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Issues')
  })
}
