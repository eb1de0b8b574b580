import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { findForeignDigests } from './foreign-digests.ts'

const digestsOf = (raw: unknown) =>
  findForeignDigests(normalizeEvent(raw, { eventId: 'a'.repeat(32), receivedAt: 1_795_000_000_000 }))

describe('a digest of another framework', () => {
  it.each([
    ['a tag', { tags: { digest: '1135396951' } }],
    ['a context', { contexts: { nextjs: { digest: '1135396951' } } }],
    ['extra', { extra: { digest: 1_135_396_951 } }],
    ['a value in extra', { extra: { error: { digest: '1135396951' } } }],
    [
      'mechanism data',
      { exception: { values: [{ type: 'E', mechanism: { type: 'x', data: { digest: '1135396951' } } }] } },
    ],
    [
      'the console, as text',
      {
        exception: { values: [{ type: 'Error', value: 'no' }] },
        breadcrumbs: [{ category: 'console', message: "⨯ Error: no { digest: '1135396951' }" }],
      },
    ],
  ])('is found in %s', (_place, raw) => {
    expect(digestsOf(raw)).toEqual(['1135396951'])
  })

  it.each([
    ['next-16-sdk-10.server-error-on-the-server', ['3655128469']],
    ['next-16-sdk-10.server-error-in-the-browser', ['3655128469']],
    ['next-16-sdk-10.both-sides-on-the-server', ['2806029753']],
    ['next-16-sdk-10.both-sides-in-the-browser', []],
    ['next-15-sdk-9.server-error-on-the-server', []],
    ['next-15-sdk-9.server-error-in-the-browser', ['3156779276']],
    // It also has the breadcrumb of the error of an earlier request.
    ['next-15-sdk-9.both-sides-on-the-server', ['3073015525']],
    ['next-15-sdk-9.both-sides-in-the-browser', []],
  ])('is found in the breadcrumbs that @sentry/nextjs sends by itself: %s', (name, digests) => {
    const path = join(import.meta.dirname, `../../../../test/fixtures/next-digests/${name}.json`)
    expect(digestsOf(JSON.parse(readFileSync(path, 'utf8')))).toEqual(digests)
  })

  it('is found although SDKs cut the message of the exception and of the breadcrumb at different lengths', () => {
    const message = 'x'.repeat(300)
    const raw = {
      exception: { values: [{ type: 'Error', value: `${message.slice(0, 250)}...` }] },
      breadcrumbs: [{ category: 'console', data: { arguments: ['⨯', { message, digest: '1135396951' }] } }],
    }
    expect(digestsOf(raw)).toEqual(['1135396951'])
  })

  it('is ignored for redirects and not-found pages of a framework', () => {
    expect(digestsOf({ tags: { digest: 'NEXT_REDIRECT;push;/login;307;' } })).toEqual([])
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        expect(digestsOf(raw).length).toBeLessThanOrEqual(5)
      }),
    )
  })
})
