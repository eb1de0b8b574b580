import { describe, expect, it } from 'vitest'
import { createClientAddresses } from './client-address.ts'
import { parseEnv } from './env.ts'

interface Case {
  peer?: string
  headers?: Record<string, string>
  variables?: Record<string, string>
}

function find({ peer, headers = {}, variables = {} }: Case) {
  const parsed = parseEnv(variables)
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const warnings: unknown[] = []
  const log = { warn: (...line: unknown[]) => void warnings.push(line) }
  const addresses = createClientAddresses({ env: parsed.env, log })
  const origin = addresses.find(peer, (name) => headers[name])
  addresses.find(peer, (name) => headers[name])
  return { ...origin, warningCount: warnings.length }
}

const client = (how: Case) => find(how).clientAddress
const xff = (value: string) => ({ 'x-forwarded-for': value })

describe('the client of a request', () => {
  it('is the peer when it is not a trusted proxy, whatever headers the request has', () => {
    const headers = {
      'x-forwarded-for': '203.0.113.7',
      'x-sentry-forwarded-for': '203.0.113.7',
      'x-vercel-forwarded-for': '203.0.113.7',
      'x-real-ip': '203.0.113.7',
      forwarded: 'for=203.0.113.7',
    }
    for (const peer of ['198.51.100.4', '2001:db8::1', '192.168.1.77', '10.0.0.1', 'fd00::1', '172.16.0.9'])
      expect(client({ peer, headers })).toBe(peer)
  })

  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('is what a proxy at %s sends', (peer) => {
    expect(find({ peer, headers: xff('203.0.113.7') })).toMatchObject({
      clientAddress: '203.0.113.7',
      proxyCount: 1,
    })
  })

  it('is the peer when a proxy forwards no address', () => {
    expect(client({ peer: '127.0.0.1' })).toBe('127.0.0.1')
    expect(client({ peer: '::ffff:198.51.100.4' })).toBe('198.51.100.4')
  })

  it('ignores addresses that the client sent: a proxy appends, and the rightmost entry is the proxy’s', () => {
    expect(client({ peer: '127.0.0.1', headers: xff('6.6.6.6, 203.0.113.7') })).toBe('203.0.113.7')
    expect(client({ peer: '127.0.0.1', headers: xff('127.0.0.1, 6.6.6.6,203.0.113.7') })).toBe('203.0.113.7')
  })

  it('is found behind several proxies that the operator lists', () => {
    const variables = { CULVERT_TRUSTED_PROXIES: 'loopback, 10.1.0.0/16 2001:db8:1::/48' }
    const headers = xff('6.6.6.6, 203.0.113.7, 2001:db8:1::5, 10.1.2.3')
    expect(find({ peer: '127.0.0.1', headers, variables })).toMatchObject({
      clientAddress: '203.0.113.7',
      proxyCount: 3,
    })
    expect(client({ peer: '127.0.0.1', headers })).toBe('10.1.2.3')
    expect(client({ peer: '10.2.0.1', headers, variables })).toBe('10.2.0.1')
  })

  it('is the first proxy when all entries are trusted', () => {
    const variables = { CULVERT_TRUSTED_PROXIES: 'loopback,private' }
    expect(client({ peer: '127.0.0.1', headers: xff('10.0.0.9, 192.168.1.1'), variables })).toBe('10.0.0.9')
  })

  it('is read from no proxy with "none"', () => {
    const variables = { CULVERT_TRUSTED_PROXIES: 'none' }
    expect(client({ peer: '127.0.0.1', headers: xff('203.0.113.7'), variables })).toBe('127.0.0.1')
  })

  it.each(['', 'unknown', '_hidden', "'; drop table", '999.1.1.1', '999.1.1.1:80', '[::g]:80', '1.2.3.4.5'])(
    'is the last known proxy when an entry is %j: the entries left of it are not trusted',
    (text) => {
      expect(client({ peer: '127.0.0.1', headers: xff(text) })).toBe('127.0.0.1')
      expect(client({ peer: '127.0.0.1', headers: xff(`6.6.6.6, ${text}`) })).toBe(
        text === '' ? '6.6.6.6' : '127.0.0.1',
      )
    },
  )

  it.each([
    ['203.0.113.7:4711', '203.0.113.7'],
    ['10.0.0.1, [2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('is read from %s', (text, address) => {
    expect(client({ peer: '127.0.0.1', headers: xff(text) })).toBe(address)
  })

  it('is read from the header of a vendor only when the operator configures it', () => {
    const headers = {
      'x-sentry-forwarded-for': '6.6.6.1',
      'x-vercel-forwarded-for': '6.6.6.2',
      'cf-connecting-ip': '6.6.6.3',
      'x-forwarded-for': '203.0.113.7',
    }
    expect(client({ peer: '127.0.0.1', headers })).toBe('203.0.113.7')
    const variables = { CULVERT_CLIENT_ADDRESS_HEADERS: 'CF-Connecting-IP, X-Forwarded-For' }
    expect(client({ peer: '127.0.0.1', headers, variables })).toBe('6.6.6.3')
    expect(client({ peer: '127.0.0.1', headers: xff('203.0.113.7'), variables })).toBe('203.0.113.7')
  })

  it('is read from x-vercel-forwarded-for on Vercel only', () => {
    const headers = { 'x-vercel-forwarded-for': '203.0.113.7', 'x-forwarded-for': '6.6.6.6' }
    expect(client({ headers })).toBeUndefined()
    expect(client({ headers, variables: { VERCEL: '1' } })).toBe('203.0.113.7')
    expect(client({ headers: xff('6.6.6.6'), variables: { VERCEL: '1' } })).toBeUndefined()
  })

  it('is logged once as uncertain when a likely proxy is not configured', () => {
    const headers = xff('203.0.113.7')
    expect(find({ peer: '172.18.0.5', headers }).warningCount).toBe(1)
    expect(find({ peer: '172.18.0.5' }).warningCount).toBe(0)
    expect(find({ peer: '198.51.100.4', headers }).warningCount).toBe(0)
    const variables = { CULVERT_TRUSTED_PROXIES: '172.18.0.0/16' }
    expect(find({ peer: '172.18.0.5', headers, variables }).warningCount).toBe(0)
  })
})
