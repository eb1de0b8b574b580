import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fullEvent, sendEvent } from './support/events.ts'
import { findIssuePath } from './support/issue-path.ts'
import { expect, onePageTest as test, shareCulvert } from './support/test.ts'

let eventId = ''

const culvert = shareCulvert(async (started) => {
  eventId = await sendEvent(await started.createProject('Shop'), fullEvent('PaymentError'))
})

const assets = join(import.meta.dirname, '../../dist/client/assets')

/**
 * Budgets in kB of 1,000 bytes, after gzip. Each screen adds about 0.15 kB to the first scripts: its address,
 * its title and its loader.
 */
const budgets = { firstScripts: 169, firstStyles: 12, routeChunk: 8.5 }
/** The most scripts that a browser loads with the stream, and with any other page. */
const scriptCounts = { stream: 5, anyPage: 10 }

function gzipKilobytes(files: Iterable<string>): number {
  let bytes = 0
  for (const file of files) bytes += gzipSync(readFileSync(join(assets, file))).length
  return bytes / 1000
}

/** Every script chunk of the build: of all screens, and of their lazy parts. */
function listChunks(): string[] {
  return readdirSync(assets).filter((file) => file.endsWith('.js'))
}

function isSdkChunk(file: string): boolean {
  return readFileSync(join(assets, file), 'utf8').includes('sentry.javascript.')
}

interface FirstLoad {
  scripts: Set<string>
  styles: Set<string>
}

/** The files that a browser loads with a screen's HTML: scripts, preloads, imports, and style sheets. */
async function readFirstLoad(path: string): Promise<FirstLoad> {
  const { origin, session } = culvert()
  const headers = { accept: 'text/html', cookie: `${session.name}=${session.value}` }
  const response = await fetch(origin + path, { headers })
  // Without a session, every path would return the sign-in page.
  expect(new URL(response.url).pathname).not.toMatch(/^\/(login|setup)$/)
  const html = await response.text()
  const scripts = new Set<string>()
  for (const [tag] of html.matchAll(/<(?:script|link)\b[^>]*>/g)) {
    if (!tag.startsWith('<script') && !tag.includes('modulepreload')) continue
    const address = /(?:src|href)="(\/assets\/[^"]+\.js)"/.exec(tag)?.[1]
    if (address !== undefined) addWithImports(scripts, basename(address))
  }
  for (const [, address = ''] of html.matchAll(/\bimport\(?\s*["'](\/assets\/[^"']+\.js)["']/g)) {
    addWithImports(scripts, basename(address))
  }
  const styles = new Set([...html.matchAll(/href="\/assets\/([^"]+\.css)"/g)].map(([, file = '']) => file))
  return { scripts, styles }
}

function addWithImports(scripts: Set<string>, file: string): void {
  if (scripts.has(file)) return
  scripts.add(file)
  const code = readFileSync(join(assets, file), 'utf8')
  for (const [, imported = ''] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) {
    addWithImports(scripts, imported)
  }
}

test('the first load of the stream stays within its budgets', async () => {
  const { scripts, styles } = await readFirstLoad('/issues')
  expect(scripts.size).toBeGreaterThan(0)
  expect(styles.size).toBeGreaterThan(0)
  const sizes = { scripts: gzipKilobytes(scripts), styles: gzipKilobytes(styles) }
  test.info().annotations.push({ type: 'first load, kB gzip', description: JSON.stringify(sizes) })
  expect(scripts.size).toBeLessThanOrEqual(scriptCounts.stream)
  expect(sizes.scripts).toBeLessThanOrEqual(budgets.firstScripts)
  expect(sizes.styles).toBeLessThanOrEqual(budgets.firstStyles)
})

test('each chunk outside of some first load stays within the budget of a route', async () => {
  const paths = [
    '/issues',
    await findIssuePath(culvert(), eventId),
    `/events/${eventId}`,
    '/digest',
    `/digest/${eventId.slice(0, 12)}`,
    '/projects',
    '/outcomes',
    '/outcomes/dead-letters',
    '/settings',
    '/settings/members',
    '/releases',
    '/performance',
    '/monitors',
    '/nowhere',
  ]
  const loads = await Promise.all(paths.map(readFirstLoad))
  const [first] = loads
  const shared = new Set(
    [...(first?.scripts ?? [])].filter((file) => loads.every(({ scripts }) => scripts.has(file))),
  )
  expect(shared.size).toBeGreaterThan(0)
  const others = listChunks().filter((file) => !shared.has(file) && !isSdkChunk(file))
  for (const { scripts } of loads) {
    expect(scripts.size).toBeLessThanOrEqual(scriptCounts.anyPage)
    expect([...scripts].filter((file) => !shared.has(file) && !others.includes(file))).toEqual([])
  }
  expect(others.filter((file) => gzipKilobytes([file]) > budgets.routeChunk)).toEqual([])
})

test('the monitoring SDK is a separate chunk, outside of every first load', async () => {
  const sdkChunks = listChunks().filter(isSdkChunk)
  expect(sdkChunks).not.toEqual([])
  for (const path of ['/issues', '/projects', '/digest']) {
    const { scripts } = await readFirstLoad(path)
    expect(sdkChunks.filter((file) => scripts.has(file))).toEqual([])
  }
})
