import { recordRelease } from '#server/store/releases/changes.ts'
import type { Project } from './support/culvert.ts'
import { sendEvent } from './support/events.ts'
import { expectGoodLooks } from './support/looks.ts'
import { expect, shareCulvert, test } from './support/test.ts'

let project: Project

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Shop')
  await started.withStore(({ store }) => {
    const commit = {
      id: commitId,
      repository: 'acme/shop',
      message: 'Speed up the <cart>\n\nby caching',
      authorName: 'Ada Lovelace',
      authorEmail: 'ada@example.com',
      committedAt: Date.UTC(2026, 10, 20),
      files: ['packages/shop/src/a-folder-with-a-long-name/cart.ts'],
    }
    const release = { version: 'shop@1.0.0', projectIds: [project.id] }
    return recordRelease(store, release, { commits: [commit] })
  })
})

const commitId = 'c0ffee'.repeat(7).slice(0, 40)
const event = {
  platform: 'node',
  release: 'shop@1.0.0',
  exception: {
    values: [
      {
        type: 'CartError',
        value: 'The cart is empty',
        stacktrace: {
          frames: [
            { filename: '/app/main.ts', function: 'main', lineno: 1, in_app: true },
            {
              filename: '/app/src/a-folder-with-a-long-name/cart.ts',
              function: 'total',
              lineno: 42,
              in_app: true,
            },
          ],
        },
      },
    ],
  },
}

test('an issue shows the commits and the owners of its code, and is assigned to them by one click', async ({
  page,
}) => {
  const { origin } = culvert()
  const eventId = await sendEvent(project, event)
  await page.goto(`${origin}/projects/shop/source-maps`)
  const links = page.getByRole('region', { name: 'Source links' })
  await links.getByLabel('Repository').fill('https://github.com/acme/shop')
  await links.getByLabel('Paths').fill('/app = packages/shop')
  await links.getByRole('button', { name: 'Save links' }).click()
  await expect(page.locator('.notice')).toContainText('Source links saved.')

  await page.goto(`${origin}/projects/shop/ownership`)
  const panel = page.getByRole('region', { name: 'Ownership' })
  await expectGoodLooks(page)
  await panel.getByLabel('Ownership rules').fill('path:src/*')
  await panel.getByLabel('CODEOWNERS').fill('!x @ada\n/packages/shop/ ada@example.com @acme/checkout')
  await panel.getByRole('button', { name: 'Test' }).click()
  await expect(panel).toContainText('Line 1: Name an owner after the pattern.')
  await expect(panel).toContainText('Line 1: Exclusions (!) are not supported.')
  await expectGoodLooks(page)
  await panel.getByLabel('Ownership rules').fill('')
  await panel.getByLabel('CODEOWNERS').fill('/packages/shop/ ada@example.com @acme/checkout')
  await panel.getByRole('button', { name: 'Test' }).click()
  await expect(page.getByRole('region', { name: 'Result' })).toContainText(
    'Ada Owner, @acme/checkout (no user)',
  )
  await expectGoodLooks(page)
  await panel.getByRole('button', { name: 'Save ownership' }).click()
  await expect(page.locator('.notice')).toContainText('Ownership saved.')

  await page.goto(`${origin}/issues/SHOP-1`)
  const suspects = page.getByRole('region', { name: 'Suspect commits' })
  await expect(suspects).toContainText('Speed up the <cart>')
  await expect(suspects.getByRole('link', { name: commitId.slice(0, 12) })).toHaveAttribute(
    'href',
    `https://github.com/acme/shop/commit/${commitId}`,
  )
  const owners = page.getByRole('region', { name: 'Owners' })
  await expect(owners).toContainText('CODEOWNERS, line 1')
  await expectGoodLooks(page)
  await suspects.getByRole('button', { name: /^Assign to/ }).click()
  await expect(page.locator('.notice')).toContainText('Assigned')
  await expect(suspects.getByRole('button')).toHaveCount(0)
  await expect(owners.getByRole('button')).toHaveCount(0)

  const markdown = await page.request.get(`${origin}/events/${eventId}/markdown`)
  expect(await markdown.text()).toContain('## Suspect commits')

  const { version } = await culvert().withStore(async ({ store }) => {
    const release = { version: 'shop@1.1.0', projectIds: [project.id] }
    const commits = [{ id: commitId.replace('c', 'd'), message: 'Fill the cart\n\nFixes SHOP-1' }]
    const fixes = { projectIds: [project.id], origin }
    await recordRelease(store, release, { commits, fixes })
    return release
  })
  await page.reload()
  const activity = page.getByRole('region', { name: 'Activity' })
  await expect(activity).toContainText(`resolved in ${version} by the commit d0ffee`)
  await expect(activity.getByRole('link', { name: 'd0ffeec0ffee' })).toHaveCount(1)
  await expectGoodLooks(page)
})
