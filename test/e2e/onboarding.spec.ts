import * as Sentry from '@sentry/node'
import { expect, shareCulvert, test } from './support/test.ts'

const culvert = shareCulvert()

test('a project is made, and its set-up page turns by itself when an SDK sends the first event', async ({
  page,
}) => {
  await page.goto(`${culvert().origin}/projects`)
  await page.getByRole('link', { name: 'New project' }).click()
  await page.getByLabel('Name').fill('Turning Shop')
  await page.getByLabel('Platform').selectOption('node')
  await page.getByRole('button', { name: 'Create the project' }).click()
  await expect(page).toHaveURL(/\/projects\/turning-shop\/setup/)
  await expect(page.getByText('Waiting for the first event')).toBeVisible()

  Sentry.init({ dsn: (await page.locator('.dsn-line code').textContent()) ?? '' })
  Sentry.captureException(new Error('the first one'))
  await Sentry.close(5_000)

  await expect(page.getByText('Events are coming in.')).toBeVisible()
  await expect(page.getByText('Waiting for the first event')).toBeHidden()
  await page.getByRole('link', { name: 'Error: the first one' }).click()
  await expect(page).toHaveURL(/\/issues\/\d+/)
})
