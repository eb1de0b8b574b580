import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressResponse } from './compress-response.ts'

const text = JSON.stringify({
  items: Array.from({ length: 200 }, (_, at) => ({ at, title: 'Cannot read it' })),
})

async function compressed(body: BodyInit | null, headers: Record<string, string>): Promise<boolean> {
  const response = await compressResponse(new Response(body, { headers }), 'br')
  return response.headers.has('content-encoding')
}

describe('an answer of the console', () => {
  it('that is data is compressed and keeps its status and headers', async () => {
    const headers = new Headers({ 'content-type': 'application/json', vary: 'Cookie', 'content-length': '1' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2')
    const response = await compressResponse(new Response(text, { status: 500, headers }), 'br')
    expect(response.status).toBe(500)
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('vary')).toBe('Cookie, Accept-Encoding')
    expect(response.headers.get('content-length')).toBeNull()
    expect(brotliDecompressSync(await response.bytes()).toString()).toBe(text)
  })

  it.each([
    ['a picture', { 'content-type': 'image/png' }],
    ['a stream', { 'content-type': 'application/x-ndjson' }],
    ['encoded already', { 'content-type': 'text/html', 'content-encoding': 'gzip' }],
    ['marked no-transform', { 'content-type': 'text/html', 'cache-control': 'no-store, no-transform' }],
  ])('that is %s is not compressed', async (_what, headers) => {
    const before = new Response(text, { headers })
    expect(await compressResponse(before, 'br')).toBe(before)
  })

  it('that is small or has no body is not compressed', async () => {
    expect(await compressed('{}', { 'content-type': 'application/json' })).toBe(false)
    expect(await compressed(null, { 'content-type': 'application/json' })).toBe(false)
    expect(await compressed(text, { 'content-type': 'application/json' })).toBe(true)
  })
})
