import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { recordRelease } from '#server/store/releases/changes.ts'
import type { Project } from './support/culvert.ts'
import { sendEvent } from './support/events.ts'
import { delayHydration, waitUntilSettled } from './support/hydration.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let project: Project

const culvert = shareCulvert(async (started) => {
  project = await started.createProject('Shop')
  await started.withStore(async ({ store }) => {
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
    await recordRelease(store, release, { commits: [commit] })
    await updateProjectSettings(store, project.id, (settings) => ({
      ownership: { ...settings.ownership, codeOwners },
      sourceLinks: {
        ...settings.sourceLinks,
        url: 'https://github.com/acme/shop',
        roots: [{ from: '/app/', to: 'packages/shop/' }],
      },
    }))
  })
})

const codeOwners = '/packages/shop/ ada@example.com @acme/checkout'
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

test('the owners of an event are tested before they are saved', async ({ page }) => {
  const { origin } = culvert()
  await sendEvent(project, event)
  const hydrate = await delayHydration(page)
  await page.goto(`${origin}/projects/shop/ownership`, { waitUntil: 'commit' })
  const panel = page.getByRole('region', { name: 'Ownership' })
  await panel.getByLabel('Ownership rules').fill('path:src/*')
  // React would reset the one that has a default value.
  await panel.getByLabel('CODEOWNERS').fill('!x @ada\n/packages/shop/ ada@example.com @acme/checkout')
  hydrate()
  await waitUntilSettled(page)
  await panel.getByRole('button', { name: 'Test' }).click()
  await expect(panel).toContainText('Line 1: Name an owner after the pattern.')
  await expect(panel).toContainText('Line 1: Exclusions (!) are not supported.')
  await panel.getByLabel('Ownership rules').fill('')
  await panel.getByLabel('CODEOWNERS').fill(codeOwners)
  await panel.getByRole('button', { name: 'Test' }).click()
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('@acme/checkout (no user)')
  await expectGoodLayout(page)
  await panel.getByRole('button', { name: 'Save ownership' }).click()
  await expect(page.locator('.notice')).toContainText('Ownership saved.')
})

test('an issue shows the suspect commits and the owners of its code @full', async ({ page }) => {
  const { origin } = culvert()
  await sendEvent(project, event)
  await page.goto(`${origin}/issues/SHOP-1`)
  const suspects = page.getByRole('region', { name: 'Suspect commits' })
  await expect(suspects).toContainText('Speed up the <cart>')
  const link = suspects.getByRole('link', { name: commitId.slice(0, 12) })
  await expect(link).toHaveAttribute('href', `https://github.com/acme/shop/commit/${commitId}`)
  const owners = page.getByRole('region', { name: 'Owners' })
  await expect(owners).toContainText('CODEOWNERS, line 1')
  await expectGoodLayout(page)
})
