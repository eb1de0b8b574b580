import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#protocol/json.ts'
import fixture from '../../../test/fixtures/inbound-filters/origins-and-csp.json' with { type: 'json' }
import { defaultCspSources } from './csp-sources.ts'
import { isInvalidCsp } from './invalid-csp.ts'
import { parseOriginPattern } from './origin-pattern.ts'

const defaults = defaultCspSources.map(parseOriginPattern)

describe('isInvalidCsp', () => {
  it.each(fixture.cases)('like Relay: $blocked_uri $source_file', ({ disallowed, filtered, ...data }) => {
    expect(
      isInvalidCsp(
        { type: 'csp', securityReport: { kind: 'csp', data } },
        disallowed.map(parseOriginPattern),
      ),
    ).toBe(filtered)
  })

  it.each<JsonObject>([
    { 'blocked-uri': 'chrome-extension://abc/x.js' },
    { 'csp-report': { 'source-file': 'moz-extension://abc/x.js' } },
    { body: { blockedURL: 'https://ads.superfish.com/x.js' } },
    { document_uri: 'http://localhost:3000/' },
    { blocked_uri: 'data:text/html,chromewebdata' },
  ])('reads every spelling: %j', (data) => {
    expect(isInvalidCsp({ type: 'csp', securityReport: { kind: 'csp', data } }, defaults)).toBe(true)
  })

  it.each<JsonObject>([
    {},
    { blocked_uri: 'inline', document_uri: 'https://shop.test/' },
    { blocked_uri: 7 },
    { body: [] },
  ])('keeps %j', (data) => {
    expect(isInvalidCsp({ type: 'csp', securityReport: { kind: 'csp', data } }, defaults)).toBe(false)
  })

  it('checks CSP reports only', () => {
    const data = { blocked_uri: 'chrome-extension://abc' }
    expect(isInvalidCsp({ type: 'error', securityReport: { kind: 'csp', data } }, defaults)).toBe(false)
    expect(isInvalidCsp({ type: 'csp' }, defaults)).toBe(false)
  })
})
