import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findIngestTarget } from './ingest-path.ts'

describe('findIngestTarget', () => {
  it.each([
    ['/api/42/envelope/', { route: 'envelope', project: '42' }],
    ['/api/42/envelope', { route: 'envelope', project: '42' }],
    ['/api/42/store/', { route: 'store', project: '42' }],
    ['/api/store/', { route: 'store' }],
    ['/api/forty-two/envelope/', { route: 'envelope', project: 'forty-two' }],
    ['/api/42/security/', { route: 'security', project: '42' }],
    ['/api/42/csp-report/', { route: 'security', project: '42' }],
    ['/api/42/events/abc/attachments/', { route: 'attachments', project: '42', eventId: 'abc' }],
    ['/api/42/minidump', { route: 'unsupported', project: '42' }],
    ['/api/42/unreal/key/', { route: 'unsupported', project: '42' }],
    ['/api/42/cron/nightly/', { route: 'cron', project: '42', slug: 'nightly' }],
    ['/api/42/cron/nightly', { route: 'cron', project: '42', slug: 'nightly' }],
    ['/api/42/cron/nightly/key', { route: 'cron', project: '42', slug: 'nightly', publicKey: 'key' }],
    ['/api/42/cron/%zz/key/', { route: 'cron', project: '42', slug: '%zz', publicKey: 'key' }],
    ['/ping/key/nightly', { route: 'ping', publicKey: 'key', slug: 'nightly' }],
    ['/ping/key/nightly/start', { route: 'ping', publicKey: 'key', slug: 'nightly', verb: 'start' }],
    ['/ping/key/nightly/137/', { route: 'ping', publicKey: 'key', slug: 'nightly', verb: '137' }],
    ['/api/42/nel/', { route: 'unsupported', project: '42' }],
    ['/api/embed/error-page/', { route: 'report-dialog' }],
    ['/api/embed/error-page', { route: 'report-dialog' }],
    ['/api/7/error-page/', undefined],
    ['/api/42/integration/otlp/v1/traces', { route: 'otlp-traces', project: '42' }],
    ['/api/42/integration/otlp/v1/logs/', { route: 'unsupported', project: '42' }],
    ['/monitoring', { route: 'tunnel' }],
    ['/monitoring/', { route: 'tunnel' }],
  ])('finds %s', (path, target) => {
    expect(findIngestTarget(path)).toEqual(target)
  })

  it.each([
    '/',
    '/api',
    '/api/',
    '/api/envelope/',
    '/api/security/',
    '/api/42/events/attachments/',
    '/api/42/events/abc/attachments/1',
    '/api/1/envelope/x',
    '/ping/key',
    '/ping/key/nightly/stop',
    '/api/1/cron/a/b/c',
    '/api/1/2/envelope/',
    '/x/api/1/envelope/',
    '/monitoringx',
  ])('passes %s to the application', (path) => {
    expect(findIngestTarget(path)).toBeUndefined()
  })

  it('finds the tunnel at its configured path only', () => {
    expect(findIngestTarget('/a/b/', '/a/b')).toEqual({ route: 'tunnel' })
    expect(findIngestTarget('/monitoring', '/a/b')).toBeUndefined()
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void findIngestTarget(text)))
  })
})
