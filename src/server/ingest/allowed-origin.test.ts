import { describe, expect, it } from 'vitest'
import { isAllowedOrigin } from './allowed-origin.ts'

function isAllowed(allowed: string[], headers: Record<string, string | undefined>): boolean {
  return isAllowedOrigin(allowed, (name) => headers[name])
}

describe('the allowed origins', () => {
  it.each([
    [['*'], 'https://anywhere.example', true],
    [[], 'https://anywhere.example', false],
    [['example.com'], 'https://example.com', true],
    [['example.com'], 'https://example.com:8443', true],
    [['example.com'], 'https://www.example.com', false],
    [['*.example.com'], 'https://www.example.com', true],
    [['*.example.com'], 'https://example.com', true],
    [['*.example.com'], 'https://badexample.com', false],
    [['example.com', 'https://b.example:8443'], 'https://b.example:8443', true],
    [['https://b.example:8443'], 'https://b.example', false],
    [['https://b.example'], 'http://b.example', false],
    [['*:8000'], 'http://a.example:8000', true],
    [['EXAMPLE.com'], 'https://Example.COM', true],
  ])('with %j from %s: %s', (allowed, origin, isTaken) => {
    expect(isAllowed(allowed, { origin })).toBe(isTaken)
    expect(isAllowed(allowed, { referer: `${origin}/page?query` })).toBe(isTaken)
  })

  it('do not apply to requests without a web origin', () => {
    for (const origin of [undefined, 'null', 'chrome-extension://abc'])
      expect(isAllowed([], { origin })).toBe(true)
    expect(isAllowed([], { referer: 'x' })).toBe(true)
  })

  it('are matched with the origin, not with the referer next to it', () => {
    const headers = { origin: 'https://evil.example', referer: 'https://example.com/' }
    expect(isAllowed(['example.com'], headers)).toBe(false)
  })
})
