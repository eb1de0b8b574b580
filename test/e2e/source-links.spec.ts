import type { Project } from './support/culvert.ts'
import { sendEvent } from './support/events.ts'
import { openSettled } from './support/hydration.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let project: Project

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Shop')
})

const commit = 'c0ffee'.repeat(7).slice(0, 40)

/** Frames of the application, of a library, and one whose path leaves the repository. */
const event = {
  platform: 'node',
  release: `shop@${commit}`,
  exception: {
    values: [
      {
        type: 'CartError',
        value: 'The cart is empty',
        stacktrace: {
          frames: [
            { filename: '/app/../../etc/passwd', function: 'leave', lineno: 1, in_app: true },
            { filename: '/app/node_modules/pay/index.js', function: 'pay', lineno: 3, in_app: false },
            {
              filename: '/app/src/cart (1).ts',
              function: 'total',
              lineno: 42,
              in_app: true,
              context_line: '  return items.length',
            },
          ],
        },
      },
    ],
  },
}

test('in-app frames link to their line in the code host, by the project’s settings @full', async ({
  page,
}) => {
  const eventId = await sendEvent(project, event)
  await page.goto(`${culvert().origin}/events/${eventId}`)
  await expect(page.getByRole('link', { name: 'View source' })).toHaveCount(0)
  // A form that is posted before the page is interactive is answered with a page of its own.
  await openSettled(page, `${culvert().origin}/projects/shop/source-maps`)
  const panel = page.getByRole('region', { name: 'Source links' })
  await panel.getByLabel('Repository').fill('https://git.dev/a/shop.git')
  await panel.getByLabel('Paths').fill('/app/src/cart.ts = packages/cart/src/cart.ts')
  await panel.getByRole('button', { name: 'Save links' }).click()
  await expect(panel).toContainText('Choose the code host: it cannot be detected from the address.')
  await expectGoodLayout(page)
  await panel.getByLabel('Code host').selectOption('Gitea or Forgejo')
  await panel.getByRole('button', { name: 'Save links' }).click()
  await expect(page.locator('.notice')).toContainText('Source links saved.')
  await page.reload()
  await expect(panel.getByLabel('Repository')).toHaveValue('https://git.dev/a/shop')
  await expect(panel.getByLabel('Paths')).toHaveValue('/app/ = packages/cart/')

  await page.goto(`${culvert().origin}/events/${eventId}`)
  const link = page.getByRole('link', { name: 'View source' })
  const address = `https://git.dev/a/shop/src/commit/${commit}/packages/cart/src/cart%20%281%29.ts#L42`
  await expect(link).toHaveCount(1)
  await expect(link).toHaveAttribute('href', address)
  await expectGoodLayout(page)
  const markdown = await page.request.get(`${culvert().origin}/events/${eventId}/markdown`)
  expect(await markdown.text()).toContain(`<${address}>`)
})
