import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#protocol/json.ts'
import { securityReportParts } from './security-report.ts'

const csp = (data: JsonObject) => securityReportParts({ kind: 'csp', data })

describe('securityReportParts', () => {
  it('returns nothing for a report without fields, or with fields of wrong types', () => {
    expect(securityReportParts(undefined)).toEqual([])
    expect(csp({})).toEqual([])
    expect(csp({ blocked_uri: 7, effective_directive: [] })).toEqual([])
    expect(securityReportParts({ kind: 'hpkp', data: {} })).toEqual([])
  })

  it('distinguishes CSP reports by directive and blocked host, not by page or path', () => {
    const report = { effective_directive: 'img-src', blocked_uri: 'https://Cdn.Evil.test:8443/a.png?b' }
    expect(csp({ ...report, document_uri: 'https://shop.test/1' })).toEqual([
      'directive img-src',
      'blocked cdn.evil.test',
    ])
  })

  it.each([
    ['data:text/javascript,1', 'data:'],
    ['blob', 'blob:'],
    ['chrome-extension', 'chrome-extension'],
    ['inline', 'inline'],
    ['cdn.test/x.js', 'cdn.test'],
    ['self', "'self'"],
    ['', "'self'"],
    ['https://shop.test/own.js', "'self'"],
  ])('names the blocked source %j %j', (blocked_uri, name) => {
    const report = { violated_directive: 'script-src x', document_uri: 'https://shop.test/', blocked_uri }
    expect(csp(report)).toEqual(['directive script-src', `blocked ${name}`])
  })

  it('distinguishes inline from eval in the code of the page', () => {
    const report = { effective_directive: 'script-src', blocked_uri: 'self' }
    expect(csp({ ...report, violated_directive: "script-src 'unsafe-inline'" })).toContain(
      "blocked 'unsafe-inline'",
    )
    expect(csp({ ...report, violated_directive: "script-src 'unsafe-eval'" })).toContain(
      "blocked 'unsafe-eval'",
    )
  })

  it('reads the names that browsers send', () => {
    const parts = ['directive img-src', 'blocked evil.test']
    expect(csp({ 'effective-directive': 'img-src', 'blocked-uri': 'https://evil.test/' })).toEqual(parts)
    expect(csp({ effectiveDirective: 'img-src', blockedURL: 'https://evil.test/' })).toEqual(parts)
  })

  it('distinguishes certificate reports by kind and host', () => {
    expect(securityReportParts({ kind: 'hpkp', data: { hostname: 'Shop.test' } })).toEqual([
      'hpkp',
      'host shop.test',
    ])
  })
})
