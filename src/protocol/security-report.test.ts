import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSecurityReport } from './security-report.ts'

const legacy = {
  'csp-report': {
    'document-uri': 'https://shop.test/cart',
    referrer: 'https://search.test/',
    'violated-directive': "script-src 'self'",
    'effective-directive': 'script-src',
    'original-policy': "script-src 'self'; report-uri /csp",
    'blocked-uri': 'https://Cdn.Evil.test:8443/a.js?b',
    'source-file': 'https://shop.test/app.js',
    'line-number': 24,
    'status-code': 200,
  },
}

describe('parseSecurityReport', () => {
  it('reads a CSP report as browsers send it to report-uri', () => {
    expect(parseSecurityReport(legacy)).toEqual({
      ok: true,
      report: {
        kind: 'csp',
        pageUrl: 'https://shop.test/cart',
        referrer: 'https://search.test/',
        host: 'cdn.evil.test',
        data: {
          document_uri: 'https://shop.test/cart',
          referrer: 'https://search.test/',
          violated_directive: "script-src 'self'",
          effective_directive: 'script-src',
          original_policy: "script-src 'self'; report-uri /csp",
          blocked_uri: 'https://Cdn.Evil.test:8443/a.js?b',
          source_file: 'https://shop.test/app.js',
          line_number: 24,
          status_code: 200,
        },
      },
    })
  })

  it('reads one from the Reporting API', () => {
    const value = {
      type: 'csp-violation',
      age: 4_000,
      url: 'https://shop.test/cart',
      user_agent: 'Browser/1',
      body: {
        blockedURL: 'inline',
        effectiveDirective: 'script-src-elem',
        sample: 'alert(1)',
        lineNumber: 3,
      },
    }
    expect(parseSecurityReport(value)).toEqual({
      ok: true,
      report: {
        kind: 'csp',
        pageUrl: 'https://shop.test/cart',
        userAgent: 'Browser/1',
        ageMs: 4_000,
        data: {
          blocked_uri: 'inline',
          effective_directive: 'script-src-elem',
          script_sample: 'alert(1)',
          line_number: 3,
          document_uri: 'https://shop.test/cart',
        },
      },
    })
  })

  it('derives the directive from violated-directive when effective-directive is missing', () => {
    const result = parseSecurityReport({ 'csp-report': { 'violated-directive': "Style-Src 'self' a.test" } })
    expect(result).toMatchObject({ ok: true, report: { data: { effective_directive: 'style-src' } } })
  })

  it.each([
    ['hpkp', { hostname: 'Shop.test', port: 443, 'known-pins': ['pin-sha256="a"'] }],
    ['expectct', { 'expect-ct-report': { hostname: 'Shop.test', port: 443 } }],
    ['expectstaple', { 'expect-staple-report': { hostname: 'Shop.test', 'cert-status': 'REVOKED' } }],
  ])('reads a report of the kind %s', (kind, value) => {
    expect(parseSecurityReport(value)).toMatchObject({ ok: true, report: { kind, host: 'shop.test' } })
  })

  it.each([null, 7, 'text', [], {}, { type: 'deprecation', body: {} }, { csp: {} }])(
    'rejects the unknown type of %j',
    (value) => {
      expect(parseSecurityReport(value)).toEqual({ ok: false, reason: 'security_report_type' })
    },
  )

  it.each([
    { 'csp-report': null },
    { 'csp-report': 'text' },
    { 'csp-report': {} },
    { 'csp-report': { 'effective-directive': '<script>', 'violated-directive': 7 } },
    { type: 'csp-violation' },
    { 'expect-ct-report': { port: 443 } },
    { 'known-pins': [], hostname: ' ' },
  ])('cannot use %j', (value) => {
    expect(parseSecurityReport(value)).toEqual({ ok: false, reason: 'security_report' })
  })

  it('changes no prototype', () => {
    const value: unknown = JSON.parse(
      '{"csp-report":{"effective-directive":"img-src","__proto__":{"polluted":1},"constructor":1}}',
    )
    const result = parseSecurityReport(value)
    expect(result).toMatchObject({ ok: true })
    expect(Object.getPrototypeOf(result.ok ? result.report.data : {})).toBe(Object.prototype)
  })

  it('reads anything without throwing', () => {
    const field = fc.constantFrom(
      'csp-report',
      'type',
      'body',
      'known-pins',
      'hostname',
      'expect-ct-report',
      'effective-directive',
      'blocked-uri',
      'age',
    )
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('csp-violation', 'img-src', '__proto__'))
    const object = fc.dictionary(field, fc.oneof(value, fc.dictionary(field, value)))
    fc.assert(
      fc.property(fc.oneof(object, fc.jsonValue()), (input) => {
        expect(parseSecurityReport(input).ok).toBeTypeOf('boolean')
      }),
    )
  })
})
