import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import fixture from '../../../test/fixtures/inbound-filters/client-ips.json' with { type: 'json' }
import { compileAddresses, isBlockedAddress } from './client-addresses.ts'

function isBlocked(address: string, ...entries: string[]): boolean {
  return isBlockedAddress(address, compileAddresses(entries))
}

describe('isBlockedAddress', () => {
  it.each(fixture.cases)('decides like Relay: $ip in $blocked', ({ ip, blocked, filtered }) => {
    expect(isBlocked(ip, ...blocked)).toBe(filtered)
  })

  it('matches a block up to its last address', () => {
    expect(isBlocked('122.33.230.3', '122.33.230.0/30')).toBe(true)
    expect(isBlocked('122.33.230.4', '122.33.230.0/30')).toBe(false)
    expect(isBlocked('a:b:c::3', 'a:b:c::0/126')).toBe(true)
    expect(isBlocked('a:b:c::4', 'a:b:c::0/126')).toBe(false)
    expect(isBlocked('10.200.0.1', '10.1.2.3/8')).toBe(true)
  })

  it('recognizes an IPv4 address in IPv6 notation', () => {
    expect(isBlocked('::ffff:10.0.0.7', '10.0.0.0/24')).toBe(true)
    expect(isBlocked('::ffff:10.0.1.7', '10.0.0.0/24')).toBe(false)
  })

  it('trims white space and ignores invalid addresses', () => {
    expect(isBlocked('1.2.3.4', ' 1.2.3.4 ')).toBe(true)
    expect(isBlocked('1.2.3.4', '1.2.3.4/33', '1.2.3/24', '/8', '1.2.3.4/', 'x', '')).toBe(false)
    expect(isBlocked('not an address', '0.0.0.0/0')).toBe(false)
    expect(isBlockedAddress(undefined, compileAddresses(['0.0.0.0/0']))).toBe(false)
  })

  it('never throws', () => {
    const entry = fc.oneof(
      fc.string(),
      fc.ipV4(),
      fc.ipV6(),
      fc.tuple(fc.ipV6(), fc.nat(200)).map((parts) => parts.join('/')),
    )
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), fc.array(entry), (address, entries) => {
        expect(typeof isBlocked(address, ...entries)).toBe('boolean')
      }),
    )
  })
})
