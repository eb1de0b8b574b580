import { describe, expect, it } from 'vitest'
import { findClientAddress } from './client-address.ts'

function find(peer: string | undefined, headers: Record<string, string> = {}): string | undefined {
  return findClientAddress((name) => headers[name], peer)
}

const forwarded = { 'x-forwarded-for': '203.0.113.7, 10.0.0.1' }

describe('findClientAddress', () => {
  it.each([
    '127.0.0.1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '172.20.0.5',
    '192.168.1.1',
    '::1',
    'fd00::1',
    undefined,
  ])('believes the forwarding header of the proxy at %s', (peer) => {
    expect(find(peer, forwarded)).toBe('203.0.113.7')
  })

  it.each(['198.51.100.4', '172.32.0.1', '2001:db8::1'])('does not believe a stranger at %s', (peer) => {
    expect(find(peer, forwarded)).toBe(peer)
  })

  it('prefers the header that is hardest to forge', () => {
    const all = {
      'x-forwarded-for': '203.0.113.1',
      'x-sentry-forwarded-for': '203.0.113.2',
      'x-vercel-forwarded-for': '203.0.113.3',
    }
    expect(find('127.0.0.1', all)).toBe('203.0.113.3')
    expect(find('127.0.0.1', { ...all, 'x-vercel-forwarded-for': 'unknown' })).toBe('203.0.113.2')
  })

  it.each(['', 'unknown', '_hidden', "'; drop table", '999.1.1.1', '999.1.1.1:80', '[::g]:80'])(
    'skips %j, which is no address',
    (text) => {
      expect(find('127.0.0.1', { 'x-forwarded-for': text })).toBe('127.0.0.1')
      expect(find(undefined, { 'x-forwarded-for': text })).toBeUndefined()
    },
  )

  it.each([
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711, 10.0.0.1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
  ])('reads %s, with or without a port', (text, address) => {
    expect(find('127.0.0.1', { 'x-forwarded-for': text })).toBe(address)
  })

  it('writes an IPv4 peer on an IPv6 socket as IPv4', () => {
    expect(find('::ffff:198.51.100.4')).toBe('198.51.100.4')
  })
})
