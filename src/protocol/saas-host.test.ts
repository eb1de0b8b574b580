import { describe, expect, it } from 'vitest'
import { parseSaasHost } from './saas-host.ts'

describe('parseSaasHost', () => {
  it.each([
    ['o4507.ingest.us.sentry.io', { organization: '4507', region: 'us' }],
    ['o1.ingest.sentry.io', { organization: '1' }],
    ['o1.ingest.sentry.io.evil.example', undefined],
    ['o1.ingest.usa.sentry.io', undefined],
    ['sentry.example.com', undefined],
  ])('reads %s', (host, parts) => {
    expect(parseSaasHost(host)).toEqual(parts)
  })
})
