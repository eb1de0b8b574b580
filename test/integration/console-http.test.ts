import { cp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { listAssets, listServerFunctionIds } from '#test/built-console.ts'
import { prepareConsoleProcess } from '#test/process-of-file.ts'
import { exchangeRaw } from '#test/raw-exchange.ts'
import { startServerProcess } from '#test/server-process.ts'
import { createTempDir } from '#test/temp-dir.ts'

const running = prepareConsoleProcess()
let functionIds: string[]

beforeAll(() => {
  functionIds = listServerFunctionIds(running.folder)
})

const pages = [
  '/issues',
  '/projects',
  '/outcomes',
  '/outcomes/dead-letters',
  '/digest',
  '/digest/000000000000',
  '/nowhere',
  '/issues/nowhere',
]

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${running.server.origin}${path}`, {
    headers: { accept: 'text/html', cookie: running.cookie, ...headers },
    redirect: 'manual',
  })
}

function nonceOf(response: Response): string {
  return /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1] ?? ''
}

/** fetch sets this header itself. */
function statusFor(path: string, host: string, method = 'GET'): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${running.server.origin}${path}`,
      { method, headers: { host, cookie: running.cookie }, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve([response.statusCode, text]))
      },
    )
    sent.on('error', reject).end()
  })
}

describe.each(pages)('the page %s', (path) => {
  it('has a policy without unsafe-inline', async () => {
    const response = await get(path)
    const policy = response.headers.get('content-security-policy')?.replaceAll(nonceOf(response), 'N')
    expect(policy).toBe(
      "default-src 'none'; script-src 'self' 'nonce-N' 'strict-dynamic'; style-src 'self' 'nonce-N'; " +
        "style-src-attr 'none'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; " +
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    )
  })

  it('has a new nonce, on each of its scripts', async () => {
    const [first, second] = await Promise.all([get(path), get(path)])
    expect(nonceOf(first)).toMatch(/^[A-Za-z0-9+/]{22}==$/)
    expect(nonceOf(first)).not.toBe(nonceOf(second))
    const scripts = (await first.text()).match(/<script\b[^>]*>/g) ?? []
    expect(scripts.length).toBeGreaterThan(0)
    for (const script of scripts) expect(script).toContain(`nonce="${nonceOf(first)}"`)
  })

  it('uses nothing that the policy forbids', async () => {
    const html = await (await get(path)).text()
    const tags = html.replaceAll(/<script\b[\s\S]*?<\/script>/g, '').match(/<[a-z][^>]*>/gi) ?? []
    expect(tags.filter((tag) => /\son[a-z]+=|\sstyle=|javascript:/i.test(tag))).toEqual([])
  })

  it('is not cached by proxies or framed by other sites', async () => {
    const { headers } = await get(path)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    })
    expect(headers.get('x-powered-by')).toBeNull()
  })
})

describe('Strict-Transport-Security', () => {
  it('is sent if a proxy on this machine reports TLS, and only then', async () => {
    const overTls = await get('/issues', { 'x-forwarded-proto': 'https' })
    expect(overTls.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect((await get('/issues')).headers.get('strict-transport-security')).toBeNull()
  })
})

describe('responses that are not pages', () => {
  it.each(['/healthz', '/api/store', '/api/nothing', '/monitoring'])('%s is not sniffed', async (path) => {
    const { headers } = await get(path)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-resource-policy')).toMatch(/^(same|cross)-origin$/)
  })

  it('a file of the build is kept for a year and not sniffed', async () => {
    const [asset = ''] = listAssets(running.folder)
    const { status, headers } = await get(`/assets/${asset}`)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  it.each(['bytes=9-3', 'bytes=0-0', 'bytes=-5', 'bytes=99999999-', 'lines=1', 'bytes=a-b'])(
    'a file is sent whole for a request of %s of it',
    async (range) => {
      const response = await get('/icon.svg', { range })
      expect([response.status, await response.text()]).toEqual([
        200,
        await readFile(join(running.folder, 'dist/client/icon.svg'), 'utf8'),
      ])
    },
  )

  it.each([
    '/../package.json',
    '/assets/../../server/server.js',
    '/assets/%2e%2e/%2e%2e/server/server.js',
    '/..%2fserver%2fserver.js',
    '/.culvert-stamp',
    '/assets/',
  ])('%s is not a file', async (path) => {
    const answer = await exchangeRaw(
      running.server.origin,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${running.cookie}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
      5_000,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 (404|307|308) /)
    expect(answer).not.toContain('"name": "culvert"')
  })
})

describe('an unsupported method', () => {
  const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  it.each(['/', '/issues', '/issues/1', '/nowhere', '/assets/nothing.js', '/icon.svg', '/healthz'])(
    'is 405 with Allow on %s, and never a page',
    async (path) => {
      for (const method of methods) {
        const response = await fetch(`${running.server.origin}${path}`, {
          method,
          headers: { accept: 'text/html' },
        })
        const text = await response.text()
        expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
        expect(JSON.parse(text)).toEqual({ detail: 'Method not allowed' })
      }
    },
  )

  it.each([
    '/login',
    '/setup',
    '/settings',
    '/settings/members',
    '/invite/x',
    '/password/x',
    '/forgot-password',
  ])('is 405 on %s, which has a form of its own', async (path) => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await fetch(`${running.server.origin}${path}`, {
        method,
        redirect: 'manual',
      })
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, POST'])
    }
  })

  it.each(['TRACE', 'PROPFIND', 'PURGE'])('is 405 for %s too', async (method) => {
    for (const path of ['/issues', '/healthz', '/icon.svg', '/_serverFn/x']) {
      const answer = await exchangeRaw(
        running.server.origin,
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 405 [\s\S]*\r\nallow: GET, HEAD\r\n/i)
      expect(answer).not.toContain('<html')
    }
  })

  it.each(['GET', 'PUT', 'DELETE'])('is a small answer in JSON below /api for %s', async (method) => {
    for (const path of ['/api/42/envelope/', '/api/nothing', '/monitoring']) {
      const response = await fetch(`${running.server.origin}${path}`, {
        method,
        headers: { accept: 'text/html' },
      })
      expect([404, 405]).toContain(response.status)
      expect((await response.text()).length).toBeLessThan(200)
    }
  })
})

describe('the Host header', () => {
  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io:3000'])(
    '%s gets no page, no data and no file',
    async (host) => {
      const paths = ['/issues', '/icon.svg', `/_serverFn/${functionIds[0]}`, '/nowhere', '/healthz/']
      for (const path of paths) {
        const [status, text] = await statusFor(path, host)
        expect([path, status]).toEqual([path, 421])
        expect(text).toContain('CULVERT_ORIGIN')
        expect(text).not.toContain(host)
      }
    },
  )

  it.each(['localhost', '127.0.0.1:1', '[::1]:3000'])('%s gets the page', async (host) => {
    expect((await statusFor('/issues', host))[0]).toBe(200)
  })

  it('can have any value for a health check and for ingest', async () => {
    expect((await statusFor('/healthz', '10.0.0.7'))[0]).toBe(200)
    expect(await statusFor('/api/42/envelope/', '10.0.0.7', 'POST')).toEqual([
      401,
      expect.stringContaining('envelope authentication'),
    ])
  })
})

describe('an unknown address', () => {
  it.each([
    '/no/such/screen',
    '/issues/4611686018427387904',
    '/issues/not-a-number',
    `/events/${'0'.repeat(32)}`,
    '/events/xyz',
    '/traces/nonsense',
    '/projects/none/settings',
    '/docs/no-such-guide',
    '/releases/none',
  ])('is 404 with a lookup and a link to the issues: %s', async (path) => {
    const page = await get(path)
    const html = await page.text()
    expect(page.status).toBe(404)
    expect(html.match(/<title>[^<]*/g)).toEqual(['<title>Not found · Culvert'])
    expect(html).toMatch(/<h1[^>]*>Not found</)
    expect(html).toContain('action="/digest"')
    expect(html).toMatch(/href="\/issues"[^>]*>Go to the issues</)
  })

  it('is not found without a session', async () => {
    const paths = [
      '/js-sdk-loader/e12d836b15bb49d7bbf99e64295d995b.min.js',
      '/wp-login.php',
      '/issues/7/no-such-page',
      '/projects/fixture/settings/none',
      '/no/such/screen?to=/x',
    ]
    for (const path of paths) {
      const ask = (accept: string) =>
        fetch(running.server.origin + path, { redirect: 'manual', headers: { accept } })
      const script = await ask('*/*')
      expect([path, script.status, await script.text()]).toEqual([path, 404, 'not found'])
      const page = await ask('text/html')
      expect([path, page.status]).toEqual([path, 404])
      expect(await page.text()).toContain('This page doesn’t exist.')
    }
  })
})

describe('a body beyond its limit', () => {
  it.each([
    ['/login', 413],
    ['/projects/new', 413],
    ['/api/0/projects/', 401],
    ['/settings/import/upload', 303],
  ])('to %s is rejected, and the next request on its connection is answered', async (path, status) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const rejected = await sendOver(agent, path, 'a'.repeat(8 * limits.consoleBodyBytes))
    expect(rejected.status).toBe(status)
    expect(await sendOver(agent, '/login')).toEqual({ status: 200, isReused: true })
  })
})

/** Posts a form, or gets the page if there is none. */
function sendOver(agent: Agent, path: string, form?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status?: number; isReused: boolean }>()
  const sent = httpRequest(
    `${running.server.origin}${path}`,
    {
      agent,
      method: form === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: running.server.origin },
    },
    (response) => {
      const { statusCode: status = 0 } = response
      response.resume().once('end', () => resolve({ status, isReused: sent.reusedSocket }))
    },
  )
  sent.once('error', reject).end(form)
  return promise
}

describe('a build that is replaced while the server runs', () => {
  it('keeps the assets of one build; other missing files are 404', async () => {
    const copy = await createTempDir()
    for (const name of ['bin', 'src', 'dist', 'package.json', 'app.config.ts']) {
      await cp(join(running.folder, name), join(copy.path, name), { recursive: true })
    }
    await symlink(join(running.folder, 'node_modules'), join(copy.path, 'node_modules'))
    const client = join(copy.path, 'dist/client')
    const previous = join(copy.path, 'dist/previous-client')
    await rm(previous, { recursive: true, force: true })
    const other = await startServerProcess({ dataDir: join(copy.path, 'data'), args: [], root: copy.path })
    const asset = listAssets(copy.path).find((name) => name.endsWith('.css')) ?? ''
    const readAnswer = async () => {
      const response = await fetch(`${other.origin}/assets/${asset}`)
      const { status, headers } = response
      return { status, headers: assetHeaders.map((name) => headers.get(name)), body: await response.text() }
    }
    const before = await readAnswer()
    expect(before.status).toBe(200)
    await rename(client, previous)
    expect(await readAnswer()).toEqual(before)
    // A tab of that build asks the next one for an asset that it has never had.
    await writeFile(join(previous, 'assets/old-1a2b3c4d.js'), 'export {}')
    const old = await fetch(`${other.origin}/assets/old-1a2b3c4d.js`)
    expect([old.status, await old.text()]).toEqual([200, 'export {}'])
    await rm(previous, { recursive: true })
    expect(await readAnswer()).toMatchObject({ status: 404, body: '{"detail":"not found"}' })
    expect((await fetch(`${other.origin}/healthz`)).status).toBe(200)
    expect(await other.end('SIGTERM')).toBe(0)
    await copy.remove()
  })
})

const assetHeaders = ['content-type', 'content-encoding', 'cache-control', 'cross-origin-resource-policy']

describe('culvert start', () => {
  it('runs in production mode by default', async () => {
    const script = "process.on('exit',()=>process.stderr.write('NODE_ENV='+process.env.NODE_ENV))"
    const other = await startServerProcess({
      dataDir: join(running.dataDir.path, 'other'),
      args: [],
      variables: {
        NODE_ENV: '',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
      },
    })
    await other.end('SIGTERM')
    expect(other.stderr()).toContain('NODE_ENV=production')
  })
})
