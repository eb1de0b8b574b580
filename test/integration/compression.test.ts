import { readFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { listAssets } from '#test/built-console.ts'
import { prepareConsoleProcess } from '#test/process-of-file.ts'

const running = prepareConsoleProcess()

interface Received {
  status: number | undefined
  headers: IncomingMessage['headers']
  /** The bytes on the wire. */
  bytes: Buffer
}

/** Unlike fetch, it neither requests nor undoes compression. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { accept: 'text/html', cookie: running.cookie, ...headers },
      agent: false,
    }
    httpRequest(`${running.server.origin}${path}`, options, (response) => {
      const { statusCode: status } = response
      buffer(response).then((bytes) => resolve({ status, headers: response.headers, bytes }), reject)
    })
      .on('error', reject)
      .end()
  })
}

function readAsset(name: string): Promise<Buffer> {
  return readFile(join(running.folder, 'dist/client/assets', name))
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
const asked = Object.entries(decoders)

/** The parts that differ between two renderings of the same page. */
function withoutNonce(html: string): string {
  return html
    .replaceAll(/nonce="[^"]*"|content="[A-Za-z0-9+/]{22}=="/g, 'N')
    .replaceAll(/\b1[0-9]{12}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
}

describe('a page', () => {
  it.each(asked)('is sent as %s to clients that accept it, else the same', async (encoding, decode) => {
    const plain = await get('/projects')
    const { status, headers, bytes } = await get('/projects', { 'accept-encoding': encoding })
    expect([status, headers['content-encoding'], headers.vary]).toEqual([200, encoding, 'Accept-Encoding'])
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3)
    const html = decode(bytes).toString()
    expect(withoutNonce(html)).toBe(withoutNonce(plain.bytes.toString()))
    expect(headers['cache-control']).toBe('no-store')
    const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]
    expect(html).toContain(`nonce="${nonce}"`)
  })

  it.each([undefined, 'identity', 'gzip;q=0, br;q=0', 'zstd'])('is sent plain for %j', async (accepted) => {
    const { headers, bytes } = await get(
      '/projects',
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    )
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Accept-Encoding'])
    expect(bytes.toString()).toMatch(/^<!DOCTYPE html>/i)
  })

  it('with status 404 is compressed, too, and HEAD has no body', async () => {
    const missing = await get('/nowhere', { 'accept-encoding': 'br' })
    expect([missing.status, missing.headers['content-encoding']]).toEqual([404, 'br'])
    const head = await get('/projects', { 'accept-encoding': 'br' }, 'HEAD')
    expect([head.status, head.bytes.length]).toEqual([200, 0])
  })
})

describe('a small answer', () => {
  it.each(['/healthz', '/readyz', '/api/42/envelope/'])('is not compressed: %s', async (path) => {
    const { headers } = await get(path, { 'accept-encoding': 'br, gzip' })
    expect(headers['content-encoding']).toBeUndefined()
  })
})

describe('a file of the build', () => {
  it.each(asked)('has a copy compressed with %s for clients that accept it', async (encoding, decode) => {
    for (const ending of ['.js', '.css']) {
      const name =
        listAssets(running.folder).find((asset) => asset.startsWith('index-') && asset.endsWith(ending)) ?? ''
      const { headers, bytes } = await get(`/assets/${name}`, { 'accept-encoding': encoding })
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        vary: 'Accept-Encoding',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': ending === '.js' ? 'text/javascript' : 'text/css',
        'x-content-type-options': 'nosniff',
      })
      expect(bytes.length).toBeLessThan((await readAsset(name)).length / 2)
      expect(decode(bytes)).toEqual(await readAsset(name))
    }
  })

  it('is sent uncompressed to clients that accept no encoding', async () => {
    const [name = ''] = listAssets(running.folder)
    const { headers, bytes } = await get(`/assets/${name}`, { 'accept-encoding': 'br;q=0' })
    expect(headers['content-encoding']).toBeUndefined()
    expect(bytes).toEqual(await readAsset(name))
  })
})
