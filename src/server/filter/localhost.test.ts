import { describe, expect, it } from 'vitest'
import fixture from '../../../test/fixtures/inbound-filters/localhost.json' with { type: 'json' }
import { isFromLocalhost } from './localhost.ts'

function isLocalUrl(url: string): boolean {
  return isFromLocalhost({ type: 'error', request: { url } })
}

function isLocalByHeader(name: string, value: string): boolean {
  return isFromLocalhost({ type: 'error', request: { headers: [[name, value]] } })
}

describe('isFromLocalhost', () => {
  it.each(fixture.cases)('like Relay: $user_ip $request_url', ({ user_ip, request_url, filtered }) => {
    expect(
      isFromLocalhost({
        type: 'error',
        ...(user_ip !== undefined && { user: { ipAddress: user_ip } }),
        ...(request_url !== undefined && { request: { url: request_url } }),
      }),
    ).toBe(filtered)
  })

  it('recognizes local pages', () => {
    for (const url of [
      'http://localhost:3000/a',
      'http://app.localhost/',
      'http://[::1]:80/',
      'file:///home/a/b.html',
    ]) {
      expect(isLocalUrl(url)).toBe(true)
    }
  })

  it('does not match hosts whose names resemble local ones', () => {
    for (const url of [
      'http://localhost.com/',
      'http://foolocalhost/',
      'http://x.test/?to=http://localhost',
      'localhost',
      ':::',
    ]) {
      expect(isLocalUrl(url)).toBe(false)
    }
  })

  it('reads the headers of an event without a URL', () => {
    expect(isLocalByHeader('Host', 'localhost:3000')).toBe(true)
    expect(isLocalByHeader('X-Forwarded-Host', '127.0.0.1:3000')).toBe(true)
    expect(isLocalByHeader('referer', 'http://localhost/a')).toBe(true)
    expect(isLocalByHeader('X-Forwarded-For', '::1')).toBe(true)
    expect(isLocalByHeader('Host', 'localhost.example.com')).toBe(false)
    expect(isLocalByHeader('Host', '')).toBe(false)
  })

  it('prefers the URL to the headers', () => {
    const request = { url: 'https://shop.test/', headers: [['Host', 'localhost:3000']] as [string, string][] }
    expect(isFromLocalhost({ type: 'error', request })).toBe(false)
  })

  it('recognizes a server named localhost', () => {
    expect(isFromLocalhost({ type: 'error', serverName: 'localhost' })).toBe(true)
  })
})
