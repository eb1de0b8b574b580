import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInThisContext } from 'node:vm'
import { SentryCli } from '@sentry/cli'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addToken, startApiServer } from '../support/api-server.ts'
import { envelopeOf, randomEventId } from '../support/envelopes.ts'
import { fixtureProject, otherProject, type TestServer } from '../support/start-server.ts'
import { createTempDir, type TempDir } from '../support/temp-dir.ts'

/** A bundle really built with Vite, uploaded by the real sentry-cli; the errors are those that it really throws. */

const run = promisify(execFile)
let server: TestServer
let home: TempDir
let token: string

const sources = {
  'cart.ts': `export interface Item { price: number; count: number }

/** Sums up the cart. */
export function totalOf(items: Item[] | undefined): number {
  const sum = items!.reduce((sum, { price, count }) => sum + price * count, 0)
  return sum
}
`,
  'main.ts': `import { totalOf, type Item } from './cart.ts'

function checkout(items?: Item[]): number {
  const total = totalOf(items)
  return Math.round(total)
}

Reflect.set(globalThis, 'checkout', checkout)
`,
}

beforeAll(async () => {
  server = await startApiServer()
  home = await createTempDir()
  token = await addToken(server)
  const root = join(home.path, 'shop')
  await mkdir(join(root, 'src'), { recursive: true })
  for (const [name, text] of Object.entries(sources)) await writeFile(join(root, 'src', name), text)
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { sourcemap: 'hidden', rolldownOptions: { input: join(root, 'src/main.ts') } },
  })
})
afterAll(async () => {
  await server.stop()
  await home.remove()
})

const distPath = () => join(home.path, 'shop/dist')

async function cli(words: string[], variables: Record<string, string> = {}): Promise<string> {
  const { stdout, stderr } = await run(SentryCli.getPath(), words, {
    env: {
      HOME: home.path,
      SENTRY_URL: server.origin,
      SENTRY_AUTH_TOKEN: token,
      SENTRY_ORG: 'default',
      ...variables,
    },
    cwd: home.path,
    timeout: 20_000,
  })
  return stdout + stderr
}

/** The built code: its text, and the debug id that was written into it. */
async function readBuilt(): Promise<{ name: string; code: string; debugId?: string }> {
  const names = await readdir(join(distPath(), 'assets'))
  const name = names.find((each) => each.endsWith('.js')) ?? ''
  const code = await readFile(join(distPath(), 'assets', name), 'utf8')
  const [, debugId] = /debugId=([\da-f-]{36})/.exec(code) ?? []
  return { name, code, ...(debugId !== undefined && { debugId }) }
}

/** Runs the built code until it throws, and makes of the stack what a browser’s SDK sends. */
function throwError(code: string, url: string) {
  let thrown: unknown
  try {
    runInThisContext(code, { filename: url })
    ;(Reflect.get(globalThis, 'checkout') as () => void)()
  } catch (error) {
    thrown = error
  }
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : ''
  const frames = [...stack.matchAll(/^ +at (?:(.*?) \()?(.*?):(\d+):(\d+)\)?$/gm)]
    .filter(([line]) => line.includes(url))
    .map(([, name, , line, column]) => ({
      function: name ?? '?',
      filename: url,
      lineno: Number(line),
      colno: Number(column),
      in_app: true,
    }))
  return { value: thrown instanceof Error ? thrown.message : '', frames: frames.toReversed() }
}

interface SentError {
  debugId?: string | undefined
  release?: string
  dist?: string
  url?: string
  project?: { id: number; publicKey: string }
}

async function sendError(options: SentError = {}): Promise<string> {
  const {
    debugId,
    release,
    dist,
    url = 'https://shop.example/assets/app.js',
    project = fixtureProject,
  } = options
  const { value, frames } = throwError((await readBuilt()).code, url)
  const eventId = randomEventId()
  const event = {
    event_id: eventId,
    platform: 'javascript',
    ...(release !== undefined && { release }),
    ...(dist !== undefined && { dist }),
    exception: { values: [{ type: 'TypeError', value, stacktrace: { frames } }] },
    ...(debugId !== undefined && {
      debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: debugId }] },
    }),
  }
  const response = await fetch(
    `${server.origin}/api/${project.id}/envelope/?sentry_key=${project.publicKey}`,
    { method: 'POST', body: envelopeOf({ event_id: eventId }, ['event', event]) },
  )
  expect(response.status).toBe(200)
  return eventId
}

interface ShownFrame {
  filename: string
  function: string | null
  lineNo: number
  inApp: boolean
  context: [number, string][]
}

async function readFrames(eventId: string, project: string = fixtureProject.name): Promise<ShownFrame[]> {
  const response = await fetch(`${server.origin}/api/0/projects/default/${project}/events/${eventId}/`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const event = (await response.json()) as {
    entries: { type: string; data: { values: { stacktrace: { frames: ShownFrame[] } }[] } }[]
  }
  return event.entries.find(({ type }) => type === 'exception')?.data.values[0]?.stacktrace.frames ?? []
}

const inSource = [
  { filename: 'src/main.ts', function: expect.any(String) as string, lineNo: 4 },
  { filename: 'src/cart.ts', function: 'totalOf', lineNo: 5 },
]

const culpritOf = (eventId: string) =>
  server.services.store.sqlite
    .prepare(
      `SELECT i.culprit FROM events e JOIN issues i ON i.project_id = e.project_id AND i.id = e.issue_id WHERE e.event_id = ?`,
    )
    .get(Buffer.from(eventId, 'hex'))?.['culprit']

describe('source maps', () => {
  it('of a release are found by the address of the code', async () => {
    const { name } = await readBuilt()
    const release = ['--release', 'shop@1.0.0', '--dist', '7', '--url-prefix', '~/']
    await cli(['sourcemaps', 'upload', '--project', fixtureProject.name, ...release, 'shop/dist'])
    const url = `https://shop.example/assets/${name}?v=1`
    const mapped = await sendError({ release: 'shop@1.0.0', dist: '7', url })
    expect(await readFrames(mapped)).toMatchObject(inSource)
    const otherDist = await sendError({ release: 'shop@1.0.0', dist: '8', url })
    expect(await readFrames(otherDist)).toMatchObject([{ lineNo: 1 }, { lineNo: 1 }])
  })

  it('of code with debug ids are found by those, whatever its address and release', async () => {
    await cli(['sourcemaps', 'inject', 'shop/dist'])
    const { debugId } = await readBuilt()
    const before = await sendError({ debugId })
    expect(await readFrames(before)).toMatchObject([{ lineNo: 3 }, { lineNo: 3 }])
    const printed = await cli(['sourcemaps', 'upload', 'shop/dist'], { SENTRY_PROJECT: fixtureProject.name })
    expect(printed).toContain(debugId)
    const frames = await readFrames(before)
    expect(frames).toMatchObject(inSource)
    expect(frames[1]?.context.find(([line]) => line === 5)?.[1]).toContain('items!.reduce(')
    const after = await sendError({ debugId })
    expect(culpritOf(before)).toMatch(/\/assets\/app\.js/)
    expect(culpritOf(after)).toBe('totalOf(src/cart.ts)')
    const ofOther = await sendError({ debugId, project: otherProject })
    expect(await readFrames(ofOther, otherProject.name)).toMatchObject([{ lineNo: 3 }, { lineNo: 3 }])
  })
})
