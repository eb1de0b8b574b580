import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import fixture from '../../../test/fixtures/inbound-filters/origins-and-csp.json' with { type: 'json' }
import { matchesOrigin, parseOriginPattern } from './origin-pattern.ts'

const { match, parse } = fixture

describe('parseOriginPattern', () => {
  it.each(parse)('reads $origin as Relay does', ({ origin, scheme, domain, port }) => {
    const pattern = parseOriginPattern(origin)
    expect([pattern.scheme ?? null, pattern.domain ?? null, pattern.port ?? null]).toEqual([
      scheme,
      domain,
      port,
    ])
  })

  it('keeps an IPv6 address together', () => {
    expect(parseOriginPattern('http://[::1]:8080/x')).toEqual({
      scheme: 'http',
      domain: '[::1]',
      port: '8080',
    })
    expect(parseOriginPattern('http://[::1]')).toEqual({ scheme: 'http', domain: '[::1]' })
  })

  it('does not match every host if the pattern has none', () => {
    expect(parseOriginPattern('http://')).toEqual({ scheme: 'http', domain: '' })
    expect(matchesOrigin('http://x.test', [parseOriginPattern('')])).toBe(false)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (address, pattern) => {
        expect(typeof matchesOrigin(address, [parseOriginPattern(pattern)])).toBe('boolean')
      }),
    )
  })
})

describe('matchesOrigin', () => {
  it.each(match)(
    '$url against $allowed_or_disallowed_origins',
    ({ url, allowed_or_disallowed_origins, matches }) => {
      expect(matchesOrigin(url, allowed_or_disallowed_origins.map(parseOriginPattern))).toBe(matches)
    },
  )

  it('matches the domain and its subdomains, but no other domain with that suffix', () => {
    const patterns = [parseOriginPattern('*.example.com')]
    expect(matchesOrigin('https://example.com', patterns)).toBe(true)
    expect(matchesOrigin('https://a.b.example.com', patterns)).toBe(true)
    expect(matchesOrigin('https://notexample.com', patterns)).toBe(false)
    expect(matchesOrigin('https://example.com.evil.test', patterns)).toBe(false)
  })

  it('matches a missing address only when everything is allowed', () => {
    expect(matchesOrigin(undefined, [parseOriginPattern('example.com')])).toBe(false)
    expect(matchesOrigin(undefined, [parseOriginPattern('*')])).toBe(true)
    expect(matchesOrigin('https://example.com', [])).toBe(false)
  })
})
