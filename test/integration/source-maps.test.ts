import { execFile } from 'node:child_process'
import { hash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, writeFile, mkdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInThisContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { SentryCli } from '@sentry/cli'
import { build } from 'vite'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseEnv } from '#server/env.ts'
import { limits } from '#server/limits.ts'
import { createServices } from '#server/services.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import { onPostgres } from '#test/engine.ts'
import { envelopeOf, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject, variablesOf } from '#test/start-server.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { zipOf } from '#test/zip-archive.ts'

/** A bundle really built with Vite and uploaded by the real sentry-cli; its errors are really thrown. */

const run = promisify(execFile)

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

const server = await startApiServer()
const home = await createTempDir()
const token = await addToken(server)
const root = join(home.path, 'shop')
await mkdir(join(root, 'src'), { recursive: true })
for (const [name, text] of Object.entries(sources)) await writeFile(join(root, 'src', name), text)
await build({
  root,
  configFile: false,
  logLevel: 'silent',
  build: { sourcemap: 'hidden', rolldownOptions: { input: join(root, 'src/main.ts') } },
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

/** The built code: its text, and the injected debug id. */
async function readBuilt(): Promise<{ name: string; code: string; debugId?: string }> {
  const names = await readdir(join(distPath(), 'assets'))
  const name = names.find((each) => each.endsWith('.js')) ?? ''
  const code = await readFile(join(distPath(), 'assets', name), 'utf8')
  const [, debugId] = /debugId=([\da-f-]{36})/.exec(code) ?? []
  return { name, code, ...(debugId !== undefined && { debugId }) }
}

/** Runs the built code until it throws, and converts the stack to the event of a browser SDK. */
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
  const response = await postEnvelope(server.origin, envelopeOf({ event_id: eventId }, ['event', event]), {
    project,
  })
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
  server.services.store.connection
    .prepare(
      `SELECT i.culprit FROM events e JOIN issues i ON i.project_id = e.project_id AND i.id = e.issue_id WHERE e.event_id = ?`,
    )
    .get(Buffer.from(eventId, 'hex'))?.['culprit']

describe('source maps', () => {
  it('of a release are found by the URL of the code', async () => {
    const { name } = await readBuilt()
    const release = ['--release', 'shop@1.0.0', '--dist', '7', '--url-prefix', '~/']
    await cli(['sourcemaps', 'upload', '--project', fixtureProject.name, ...release, 'shop/dist'])
    const url = `https://shop.example/assets/${name}?v=1`
    const mapped = await sendError({ release: 'shop@1.0.0', dist: '7', url })
    expect(await readFrames(mapped)).toMatchObject(inSource)
    const debugId = randomUUID()
    const ofUnknownId = await sendError({ release: 'shop@1.0.0', dist: '7', url, debugId })
    expect(await readFrames(ofUnknownId)).toMatchObject(inSource)
    const otherDist = await sendError({ release: 'shop@1.0.0', dist: '8', url })
    expect(await readFrames(otherDist)).toMatchObject([{ lineNo: 1 }, { lineNo: 1 }])
  })

  it('of code with debug ids are found by them, whatever its URL and release', async () => {
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

  it.skipIf(!onPostgres)('that another process stored are used a second later', async () => {
    const parsed = parseEnv({ PORT: '0', LOG_LEVEL: 'silent', ...variablesOf(server) })
    if (!parsed.ok) throw new Error(parsed.problems.join())
    const services = await createServices(parsed.env)
    onTestFinished(() => services.close())
    const { sourceMaps } = services
    expect(await sourceMaps.hasMaps(otherProject.id)).toBe(false)
    await cli([
      'sourcemaps',
      'upload',
      '--project',
      otherProject.name,
      '--release',
      'shop@2.0.0',
      'shop/dist',
    ])
    await expect.poll(() => sourceMaps.hasMaps(otherProject.id), { timeout: 10_000 }).toBe(true)

    const { debugId } = await readBuilt()
    const eventId = await sendError({ debugId, project: otherProject })
    expect(await readFrames(eventId, otherProject.name)).toMatchObject(inSource)
  })
})

interface Call {
  token?: string
  body: unknown
}

async function post(path: string, { token: own = token, body }: Call) {
  const isForm = body instanceof FormData
  const response = await fetch(`${server.origin}/api/0/organizations/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own}` },
    body: isForm ? body : JSON.stringify(body),
  })
  return { status: response.status, json: (await response.json()) as unknown }
}

const sha1 = (bytes: Uint8Array) => hash('sha1', bytes, 'hex')

function formOf(bytes: Uint8Array<ArrayBuffer>, name = sha1(bytes), field = 'file'): FormData {
  const form = new FormData()
  form.append(field, new Blob([bytes]), name)
  return form
}

/** Uploads an archive in one part, and returns the result of the assemble endpoint. */
async function assemble(archive: Uint8Array<ArrayBuffer>, further: object = {}, own = token) {
  await post('default/chunk-upload/', { token: own, body: formOf(archive) })
  const checksum = sha1(archive)
  const projects = [fixtureProject.name]
  const body = { checksum, chunks: [checksum], projects, ...further }
  return post('default/artifactbundle/assemble/', { token: own, body })
}

const countOf = (table: string) =>
  Number(server.services.store.connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])

function bundleOf(data: Buffer, { path = 'files/a.map', claimedBytes = data.byteLength } = {}) {
  const manifest = { files: { [path]: { type: 'source_map', url: '~/a.js.map' } } }
  return zipOf([
    { name: 'manifest.json', data: Buffer.from(JSON.stringify(manifest)) },
    { name: path, data, claimedBytes },
  ])
}

describe('uploads', () => {
  it('are stored once, even if they are sent again', async () => {
    const before = countOf('artifact_bundles')
    const archive = bundleOf(Buffer.from('{}'))
    expect((await assemble(archive)).json).toEqual({ state: 'ok', missingChunks: [] })
    expect((await assemble(archive)).json).toEqual({ state: 'ok', missingChunks: [] })
    expect(countOf('artifact_bundles')).toBe(before + 1)
  })

  it('do not wait for one that arrives slowly', async () => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '1000',
      expect: '100-continue',
    }
    const slow = request(`${server.origin}/api/0/organizations/default/chunk-upload/`, {
      method: 'POST',
      headers,
    })
    slow.on('error', () => undefined)
    // The server handles it before the others.
    await once(slow, 'continue')
    for (const name of ['one', 'other']) {
      const { status } = await post('default/chunk-upload/', { body: formOf(Buffer.from(name)) })
      expect(status).toBe(200)
    }
    slow.destroy()
  })

  it('list the missing chunks', async () => {
    const [checksum, chunk] = ['a'.repeat(40), 'b'.repeat(40)]
    const body = { checksum, chunks: [chunk], projects: [fixtureProject.name] }
    const answered = await post('default/artifactbundle/assemble/', { body })
    expect(answered.json).toEqual({ state: 'not_found', missingChunks: [chunk] })
  })

  it.each([
    ['a checksum that is not its own', () => formOf(Buffer.from('abc'), '0'.repeat(40))],
    ['a path for a checksum', () => formOf(Buffer.from('abc'), '../../../../tmp/evil')],
    ['data that is not gzip', () => formOf(Buffer.from('abc'), sha1(Buffer.from('abc')), 'file_gzip')],
    ['a bomb', () => formOf(gzipSync(Buffer.alloc(limits.chunkBytes + 1)), '0'.repeat(40), 'file_gzip')],
    ['more than a request may have', () => formOf(Buffer.alloc(limits.chunkRequestBytes + 1))],
    ['no form', () => 'abc'],
  ])('are rejected with %s, and nothing is stored', async (_name, bodyOf) => {
    const before = countOf('artifact_chunks')
    const { status } = await post('default/chunk-upload/', { body: bodyOf() })
    expect([400, 413]).toContain(status)
    expect(countOf('artifact_chunks')).toBe(before)
  })

  it.each([
    ['is not an archive', () => Buffer.from('PK no zip at all')],
    ['has a name that leads out of it', () => bundleOf(Buffer.from('{}'), { path: '../../../../tmp/evil' })],
    ['has no manifest', () => zipOf([{ name: 'a', data: Buffer.from('a') }])],
    ['has a broken manifest', () => zipOf([{ name: 'manifest.json', data: Buffer.from('{') }])],
    ['unpacks to more than it says', () => bundleOf(Buffer.alloc(1_000_000), { claimedBytes: 10 })],
    [
      'reports that it unpacks to too much',
      () => bundleOf(Buffer.from('a'), { claimedBytes: limits.artifactFileBytes + 1 }),
    ],
    [
      'lacks a file',
      () => {
        const files = { 'files/none': { type: 'source_map', url: '~/none' } }
        return zipOf([{ name: 'manifest.json', data: Buffer.from(JSON.stringify({ files })) }])
      },
    ],
  ])('whose archive %s are rejected, and nothing of them is found', async (_name, archiveOf) => {
    const connection = server.services.store.connection
    const complete = () =>
      connection.prepare('SELECT count(*) AS n FROM artifact_bundles WHERE is_complete = 1').get()
    const [before, chunks] = [complete(), countOf('artifact_chunks')]
    const answered = await assemble(archiveOf())
    expect(answered).toMatchObject({
      status: 200,
      json: { state: 'error', detail: expect.any(String) as string },
    })
    expect(complete()).toEqual(before)
    expect(countOf('artifact_chunks')).toBe(chunks)
  })

  it('of debug files of native code are rejected with the reason', async () => {
    const symbols = ['MODULE Linux x86_64 492E2DD23CC306CA9C494EEF1533A3810 shop', 'FUNC 1000 10 0 pay']
    await writeFile(join(home.path, 'shop.sym'), symbols.join('\n'))
    await expect(
      cli(['debug-files', 'upload', '--project', fixtureProject.name, 'shop.sym']),
    ).rejects.toThrow('Debug files of native code are not supported')
  })

  it('are accepted only for projects that the token can upload to', async () => {
    const archive = bundleOf(Buffer.from('{"who":1}'))
    const viewer = await addToken(server, { name: 'viewer', role: 'viewer' })
    const reader = await addToken(server, { name: 'reader', scopes: ['project:read'] })
    expect((await assemble(archive, {}, viewer)).status).toBe(403)
    expect((await assemble(archive, {}, reader)).status).toBe(403)
    expect((await assemble(archive, { projects: ['nowhere'] })).status).toBe(404)
    expect(await assemble(archive, { projects: [] })).toMatchObject({
      status: 400,
      json: { detail: expect.stringContaining(fixtureProject.name) as string },
    })
    expect((await post('elsewhere/chunk-upload/', { body: formOf(archive) })).status).toBe(404)
    expect(
      (
        await post('elsewhere/artifactbundle/assemble/', {
          body: { checksum: 'a'.repeat(40), chunks: ['a'.repeat(40)] },
        })
      ).status,
    ).toBe(404)
  })
})
