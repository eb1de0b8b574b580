import { sendEvent } from './support/events.ts'
import { waitUntilSettled } from './support/hydration.ts'
import { expect, onePageTest as test, serveCulvert } from './support/test.ts'

const culvert = serveCulvert()

/** Makes every write of the status "resolved" fail in SQLite. */
function breakResolving(): void {
  culvert()
    .execute(`CREATE TRIGGER broken_status BEFORE UPDATE OF status ON issues WHEN new.status = 'resolved'
    BEGIN SELECT raise(ABORT, 'no room for opinions'); END`)
}

test('a failed change shows a digest that finds the error', async ({ page, problems }) => {
  problems.expect(/status of 500/)
  await sendEvent(await culvert().createProject('Shop'), { message: 'Trouble' })
  await page.goto(`${culvert().origin}/issues`)
  await page.getByRole('link', { name: 'Trouble' }).click()
  await expect(page.locator('.issue-header')).toBeVisible()
  await waitUntilSettled(page)
  breakResolving()
  await page.getByRole('button', { name: 'Resolve', exact: true }).click()
  const alert = page.locator('.notice').getByRole('alert')
  await expect(alert).toContainText('Couldn’t change the status. A server-side exception has occurred.')
  await expect(page.locator('.issue-header .badge').first()).toHaveText('unresolved')
  expect(await page.content()).not.toContain('opinions')
  const digest = /Digest: ([0-9a-f]{12})/.exec((await alert.textContent()) ?? '')?.[1]
  // The event is committed after the answer.
  await expect(async () => {
    await page.goto(`${culvert().origin}/digest/${digest}`)
    expect(page.url()).toContain(`/events/${digest}`)
  }).toPass({ timeout: 20_000 })
  await expect(page.getByRole('region', { name: 'Exception' })).toContainText('no room for opinions')
})
