import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import express, { type Express } from 'express'
import { startCrumbsApp } from '#test/crumbs-app.ts'
import { serveLocally } from '#test/listen-locally.ts'
import { createExpressApp, readRecipe } from '#test/recipe.ts'
import { findProxyProgram, startCaddy, startNginx, type ReverseProxy } from '#test/reverse-proxies.ts'
import { bundle } from './support/browser-app.ts'
import { expect, onePageTest as test, serveCulvert } from './support/test.ts'

const errorCount = 200
const culvert = serveCulvert()
/** The pages of the shop: an HTML page and its script. */
const pages = mkdtempSync(join(tmpdir(), 'culvert-pages-'))
let script = ''

test.beforeAll(async () => {
  script = await bundle(join(import.meta.dirname, 'fixtures/burst-page.ts'))
  writeFileSync(join(pages, 'shop.js'), script)
  writeFileSync(
    join(pages, 'index.html'),
    '<!doctype html><title>Shop</title><link rel="icon" href="data:,"><body><script type="module" src="/shop.js"></script>',
  )
})
test.afterAll(() => rmSync(pages, { recursive: true, force: true }))

const recipeOf = (heading: string) =>
  readRecipe(heading).replace('127.0.0.1:3000', new URL(culvert().origin).host)

/** The reverse proxy in front of Culvert; undefined if the program is not installed. */
const fronts: Record<string, () => Promise<ReverseProxy> | undefined> = {
  nginx() {
    const program = findProxyProgram('nginx')
    return program === undefined ? undefined : startNginx(program, { recipe: recipeOf('nginx'), pages })
  },
  Caddy() {
    const program = findProxyProgram('caddy')
    return program === undefined ? undefined : startCaddy(program, { recipe: recipeOf('Caddy'), pages })
  },
  Express: () => serve(createExpressApp(culvert().origin).use(express.static(pages))),
  'TanStack Start': () => startCrumbsApp({ recipe: recipeOf('TanStack Start'), pages }),
}

for (const [name, startFront] of Object.entries(fronts)) {
  test(`${errorCount} errors of one page all arrive through ${name} @full`, async ({ page }) => {
    test.slow()
    const front = await startFront()
    test.skip(
      front === undefined,
      `${name} is not installed, and Debian's package of it cannot be downloaded`,
    )
    if (front === undefined) return
    const project = await culvert().createProject(`Shop behind ${name}`)
    await culvert().run('limits', 'set', project.slug, '--origin', '*', '--origin', front.origin)
    await page.goto(front.origin)
    await page.waitForFunction(() => 'reportErrors' in globalThis)
    await reportErrors(page, { dsn: project.dsn, tunnel: '/crumbs' })
    await expect.poll(() => countStored(project.id)).toBe(errorCount)
    await front.stop()
  })
}

test(`${errorCount} errors of one page all arrive at the DSN`, async ({ page }) => {
  test.slow()
  const shop = await serve(express().use(express.static(pages)))
  const project = await culvert().createProject('Shop without a tunnel')
  await page.goto(shop.origin)
  await page.waitForFunction(() => 'reportErrors' in globalThis)
  await reportErrors(page, { dsn: project.dsn })
  await expect.poll(() => countStored(project.id)).toBe(errorCount)
  await shop.stop()
})

test(`${errorCount} errors of one page on Culvert's own origin all arrive @full`, async ({
  page,
  problems,
}) => {
  test.slow()
  problems.expect(/reported: .*Cart .* is locked/)
  const project = await culvert().createProject('Own origin')
  await page.goto(`${culvert().origin}/login`)
  // Evaluated, because the page's policy blocks scripts from elsewhere.
  await page.evaluate(script)
  await reportErrors(page, { dsn: project.dsn, tunnel: '/monitoring' })
  await expect.poll(() => countStored(project.id)).toBe(errorCount)
})

async function serve(app: Express): Promise<ReverseProxy> {
  const { origin, close } = await serveLocally(createServer(app))
  return { origin, stop: close }
}

async function reportErrors(page: Page, how: { dsn: string; tunnel?: string }): Promise<void> {
  const options = { ...how, count: errorCount, intervalMs: 30 }
  await page.evaluate((burst) => globalThis.reportErrors(burst), options)
}

function countStored(projectId: number): Promise<number> {
  return culvert().withStore(async ({ store }) => {
    const rows = await store.db
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('project_id', '=', projectId)
      .execute()
    return rows[0]?.count ?? 0
  })
}
