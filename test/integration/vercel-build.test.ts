import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { tokenScopes } from '#server/auth/token-scopes.ts'
import { openInstallation, type InstallationLocation } from '#server/data-dir/open-installation.ts'
import { createApiToken } from '#server/store/accounts/api-tokens.ts'
import { openStore } from '#server/store/store.ts'
import { envelopeOf, errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { findPostgresPrograms, startPostgresCluster, type PostgresCluster } from '#test/postgres-cluster.ts'
import { queryPostgres } from '#test/query-postgres.ts'
import { addOwnerIn, addUser, cookieOf } from '#test/session.ts'
import { startSmtpReceiver } from '#test/smtp-receiver.ts'
import { createTempDir, type TempDir } from '#test/temp-dir.ts'
import {
  buildForVercel,
  startVercelFunction,
  type VercelFunction,
  type VercelOutput,
} from '#test/vercel-function.ts'
import { zipOf } from '#test/zip-archive.ts'

const cronSecret = 'c'.repeat(32)

/** A document request by the owner's browser. */
const page = { headers: { accept: 'text/html', cookie: '' } }

let output: VercelOutput
let dataDir: TempDir
let cluster: PostgresCluster | undefined

beforeAll(async () => {
  output = await buildForVercel()
  dataDir = await createTempDir()
  if (findPostgresPrograms() !== undefined) cluster = await startPostgresCluster()
}, 180_000)
afterAll(async () => {
  await cluster?.stop()
  await output.remove()
  await dataDir.remove()
})

describe('the build for Vercel', () => {
  it('runs on Node 24 and lets browsers cache the hashed files forever', async () => {
    const functionConfig: unknown = JSON.parse(await read('functions/__server.func/.vc-config.json'))
    expect(functionConfig).toMatchObject({ runtime: 'nodejs24.x', launcherType: 'Nodejs' })
    const config: unknown = JSON.parse(await read('config.json'))
    const immutable = { 'cache-control': 'public, max-age=31536000, immutable' }
    expect(config).toMatchObject({
      version: 3,
      routes: [{ src: '/assets/(.*)', headers: immutable }, {}, {}],
      crons: [{ path: '/api/cron', schedule: '17 3 * * *' }],
    })
    expect(await readdir(join(output.path, 'static/assets'))).toContainEqual(expect.stringMatching(/\.css$/))
  })

  it('bundles the packages of many modules, which would double the CPU time of a cold start', async () => {
    const packages = await readdir(join(output.path, 'functions/__server.func/node_modules'))
    expect(packages.filter((name) => name.startsWith('@'))).toEqual([])
  })
})

it('the function mails a link for a new password before its host may suspend it', async () => {
  const receiver = await startSmtpReceiver()
  onTestFinished(() => receiver.close())
  const folder = await createTempDir()
  onTestFinished(() => folder.remove())
  await addOwnerIn(folder.path)
  const running = await startVercelFunction(output, {
    CULVERT_DATA_DIR: folder.path,
    CULVERT_ORIGIN: 'https://culvert.example',
    CULVERT_SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    CULVERT_MAIL_FROM: 'culvert@culvert.example',
  })
  onTestFinished(() => running.stop())
  const answer = await fetch(`${running.origin}/forgot-password`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email: 'ada@example.com' }),
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login?step=link-sent'])
  await running.settled(1)
  expect(receiver.mails.map(({ to }) => to)).toEqual([['ada@example.com']])
  expect(receiver.mails[0]?.raw).toContain('https://culvert.example/password/')
})

/** Returns the location of an installation. */
const places = {
  'a directory it can write to': (): Promise<InstallationLocation> =>
    Promise.resolve({ dataDir: dataDir.path }),
  'a PostgreSQL database': async (): Promise<InstallationLocation> => ({
    dataDir: '',
    databaseUrl: await createDatabase('function'),
  }),
}

const kinds: (keyof typeof places)[] = ['a directory it can write to']
if (findPostgresPrograms() !== undefined) kinds.push('a PostgreSQL database')

describe.each(kinds)('the function with %s', (kind) => {
  let running: VercelFunction
  let publicKey = ''
  let token = ''

  beforeAll(async () => {
    const place = await places[kind]()
    const { store, close } = await openInstallation(place, { clock: Date.now, setsDamageAside: false })
    token = await createApiToken(store, { userId: await addUser(store), name: 'cli', scopes: tokenScopes })
    await close()
    running = await startVercelFunction(output, {
      CULVERT_DATA_DIR: place.dataDir,
      ...(place.databaseUrl !== undefined && { DATABASE_URL: place.databaseUrl }),
      CULVERT_ORIGIN: 'https://culvert.example',
    })
    page.headers.cookie = await cookieOf(running.origin)
    const projects = await (await fetch(`${running.origin}/projects`, page)).text()
    publicKey = /https:\/\/([0-9a-f]{32})@culvert\.example\/2\b/.exec(projects)?.[1] ?? ''
  })
  afterAll(() => running.stop())

  it('renders pages and is healthy', async () => {
    const issues = await fetch(`${running.origin}/issues`, page)
    expect([issues.status, issues.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const health = await fetch(`${running.origin}/healthz`)
    expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok' }])
  })

  it.each([
    ['/api/2/envelope/', 'WithSlash'],
    ['/api/2/envelope', 'WithoutSlash'],
    ['/api/2/store/', 'OldEndpoint'],
    ['/api/store/', 'OldestEndpoint'],
  ])('accepts an envelope at %s and shows it', async (path, type) => {
    const eventId = randomEventId()
    const sent = await send(path, errorEnvelope({ eventId, type }))
    expect([sent.status, await sent.text()]).toEqual([200, `{"id":"${eventId}"}`])
    expect(await readIssues()).toContain(type)
  })

  it('accepts a compressed envelope', async () => {
    const body = gzipSync(errorEnvelope({ type: 'CompressedError' }))
    expect((await send('/api/2/envelope/', body, { 'content-encoding': 'gzip' })).status).toBe(200)
    expect(await readIssues()).toContain('CompressedError')
  })

  it('accepts envelopes of its own pages through the tunnel, and of no other pages', async () => {
    const body = errorEnvelope({
      type: 'TunnelledError',
      header: { dsn: `https://${publicKey}@culvert.example/2` },
    })
    const post = (origin: string) =>
      fetch(`${running.origin}/monitoring?o=1&p=2`, { method: 'POST', body, headers: { origin } })
    expect((await post('https://evil.example')).status).toBe(403)
    expect((await post('https://culvert.example')).status).toBe(200)
    expect(await readIssues()).toContain('TunnelledError')
  })

  it('stores an attachment, which the owner downloads', async () => {
    const eventId = randomEventId()
    const body = `${errorEnvelope({ eventId })}\n{"type":"attachment","filename":"a.txt","length":5}\nhello\n`
    expect((await send('/api/2/envelope/', body)).status).toBe(200)
    const file = await fetch(`${running.origin}/events/${eventId}/attachments/1`, page)
    expect([file.status, await file.text()]).toEqual([200, 'hello'])
  })

  it('shows the sources of built code whose source map was uploaded', async () => {
    await uploadSourceMap()
    const eventId = randomEventId()
    const frame = { filename: 'https://shop.example/app.js', lineno: 1, colno: 1, in_app: true }
    const event = {
      platform: 'javascript',
      release: 'shop@1.0.0',
      exception: { values: [{ type: 'MappedError', stacktrace: { frames: [frame] } }] },
    }
    const sent = await send('/api/2/envelope/', envelopeOf({ event_id: eventId }, ['event', event]))
    expect(sent.status).toBe(200)
    const shown = await fetch(`${running.origin}/events/${eventId}/markdown`, page)
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('src/cart.ts')])
  })

  it.each(['/api/2/envelope/', '/api/2/envelope', '/api/2/security/', '/monitoring', '/monitoring/'])(
    'rejects every method but POST at %s, whatever the caller accepts',
    async (path) => {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await fetch(`${running.origin}${path}`, { method, ...page })
        expect([method, answer.status, answer.headers.get('content-type')]).toEqual([
          method,
          405,
          'application/json',
        ])
      }
    },
  )

  it('answers an unknown path below /api in JSON', async () => {
    const answer = await fetch(`${running.origin}/api/2/nothing/`, page)
    expect([answer.status, await answer.json()]).toEqual([404, { detail: 'not found' }])
  })

  function send(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${running.origin}${path}?sentry_key=${publicKey}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-sentry-envelope', ...headers },
    })
  }

  /** As sentry-cli does, but it would use `CULVERT_ORIGIN`, which has no address. */
  async function uploadSourceMap(): Promise<void> {
    const map = {
      version: 3,
      sources: ['src/cart.ts'],
      sourcesContent: ['pay()'],
      names: [],
      mappings: 'AAAA',
    }
    const files = {
      'app.js': { type: 'minified_source', url: '~/app.js', headers: { Sourcemap: 'app.js.map' } },
      'app.js.map': { type: 'source_map', url: '~/app.js.map' },
    }
    const archive = zipOf([
      { name: 'manifest.json', data: Buffer.from(JSON.stringify({ files, release: 'shop@1.0.0' })) },
      { name: 'app.js', data: Buffer.from('pay()') },
      { name: 'app.js.map', data: Buffer.from(JSON.stringify(map)) },
    ])
    const checksum = hash('sha1', archive, 'hex')
    const form = new FormData()
    form.append('file', new Blob([archive]), checksum)
    expect((await postToApi('chunk-upload', form)).status).toBe(200)
    const bundle = { checksum, chunks: [checksum], projects: ['app'], version: 'shop@1.0.0' }
    const assembled = await postToApi('artifactbundle/assemble', JSON.stringify(bundle))
    expect(await assembled.json()).toEqual({ state: 'ok', missingChunks: [] })
  }

  function postToApi(path: string, body: BodyInit): Promise<Response> {
    return fetch(`${running.origin}/api/0/organizations/default/${path}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    })
  }

  async function readIssues(): Promise<string> {
    return (await fetch(`${running.origin}/issues`, page)).text()
  }
})

describe('the function without a writable directory', () => {
  let running: VercelFunction
  let unwritable = ''

  beforeAll(async () => {
    // Not even root can write below a regular file; a directory's mode would not stop root.
    const file = join(dataDir.path, 'file')
    await writeFile(file, '')
    unwritable = join(file, 'data')
    running = await startVercelFunction(output, { CULVERT_DATA_DIR: unwritable })
  })
  afterAll(() => running.stop())

  it.each([
    ['a page', '/issues', page],
    ['the health check', '/healthz', {}],
    ['ingest', '/api/2/envelope/', { method: 'POST', body: '{}' }],
  ])('answers %s with 503 and the requirement, and reveals no path', async (_what, path, init) => {
    const answer = await fetch(`${running.origin}${path}`, init)
    expect(answer.status).toBe(503)
    const isPage = init === page
    expect(answer.headers.get('content-type')).toBe(isPage ? 'text/html; charset=utf-8' : 'application/json')
    const body = await answer.text()
    expect(body).toContain('PostgreSQL')
    expect(body).not.toContain(dataDir.path)
  })

  it('lets a browser read the rejection of its events', async () => {
    const answer = await fetch(`${running.origin}/api/2/envelope/`, { method: 'POST', body: '{}' })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('logs the problem for the operator, once and without a stack trace', async () => {
    for (const path of ['/', '/issues', '/healthz']) await fetch(`${running.origin}${path}`)
    const lines = running.log().trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('"msg":"cannot start"')
    expect(lines[0]).toContain(unwritable)
    expect(lines[0]).not.toContain('    at ')
  })
})

describe('the function whose database cannot be reached', () => {
  let running: VercelFunction

  beforeAll(async () => {
    running = await startVercelFunction(output, { DATABASE_URL: 'postgres://culvert@127.0.0.1:1/culvert' })
  })
  afterAll(() => running.stop())

  it.each([
    ['a page', '/issues', page],
    ['the health check', '/healthz', {}],
  ])('answers %s with 503 and a Retry-After', async (_what, path, init) => {
    const answer = await fetch(`${running.origin}${path}`, init)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await answer.text()).toContain('cannot start at the moment')
  })

  it.each(['/api/2/envelope/', '/monitoring'])('answers SDKs at %s with 429, as servers do', async (path) => {
    const answer = await fetch(`${running.origin}${path}`, { method: 'POST', body: '{}' })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '10'])
    expect(answer.headers.get('x-sentry-rate-limits')).toBe('10::organization:unavailable')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.text()).toContain('cannot start')
  })
})

const cronCases: {
  setting: string
  secret: Record<string, string>
  calls: { token: string; status: number; text: string }[]
}[] = [
  {
    setting: 'CRON_SECRET',
    secret: { CRON_SECRET: cronSecret },
    calls: [
      { token: 'no token', status: 401, text: 'CRON_SECRET' },
      { token: `Bearer ${cronSecret}x`, status: 401, text: 'CRON_SECRET' },
      { token: `Basic ${cronSecret}`, status: 401, text: 'CRON_SECRET' },
      { token: `Bearer ${cronSecret}`, status: 200, text: '"retention":"done","failed":[]' },
    ],
  },
  {
    setting: 'no CRON_SECRET',
    secret: {},
    calls: [{ token: `Bearer ${cronSecret}`, status: 404, text: 'set CRON_SECRET' }],
  },
]

describe.skipIf(findPostgresPrograms() === undefined).each(cronCases)(
  'the cron route of the function with $setting',
  ({ secret, calls }) => {
    let running: VercelFunction

    beforeAll(async () => {
      const url = await createDatabase(randomEventId())
      await (await openStore({ path: url, clock: Date.now })).close()
      running = await startVercelFunction(output, { DATABASE_URL: url, ...secret })
    })
    afterAll(() => running.stop())

    it.each(calls)('answers $status to $token', async ({ token, status, text }) => {
      const headers = new Headers()
      if (token !== 'no token') headers.set('authorization', token)
      const answer = await fetch(`${running.origin}/api/cron`, { headers })
      expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(text)])
    })

    it('answers 405 to another method', async () => {
      expect((await fetch(`${running.origin}/api/cron`, { method: 'POST' })).status).toBe(405)
    })
  },
)

describe.skipIf(findPostgresPrograms() === undefined)('the schema of a PostgreSQL database', () => {
  it.each([
    ['is missing', 'missing', undefined],
    ['is older', 'older', 'DELETE FROM schema_migrations WHERE version > 1'],
    ['is newer', 'newer', 'UPDATE schema_migrations SET version = version + 9999'],
  ])('that %s is not changed, and the function returns the solution', async (_title, name, change) => {
    const url = await createDatabase(name)
    if (change !== undefined) {
      const store = await openStore({ path: url, clock: Date.now })
      store.connection.exec(change)
      await store.close()
    }
    const tables = await listTables(url)
    const running = await startVercelFunction(output, { DATABASE_URL: url })
    onTestFinished(() => running.stop())
    const answer = await fetch(`${running.origin}/healthz`)
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('culvert migrate')])
    expect(await listTables(url)).toEqual(tables)
    expect(running.log()).toContain('"msg":"cannot start"')
  })
})

it.skipIf(!existsSync('/proc/self'))(
  'the function answers 503 and ends with SIGTERM where the system refuses to make its directory',
  async () => {
    const running = await startVercelFunction(output, { CULVERT_DATA_DIR: '/proc/nope' })
    const answer = await fetch(`${running.origin}/issues`, page)
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('is not running')])
    expect((await fetch(`${running.origin}/healthz`)).status).toBe(503)
    expect(running.log()).toMatch(/The data directory \\"\/proc\/nope\\" cannot be used: ENOENT/)
    await running.stop('SIGTERM')
  },
)

function createDatabase(name: string): Promise<string> {
  if (cluster === undefined) throw new Error('No PostgreSQL is running.')
  return cluster.createDatabase(name)
}

function listTables(url: string) {
  return queryPostgres(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
}

function read(path: string): Promise<string> {
  return readFile(join(output.path, path), 'utf8')
}
