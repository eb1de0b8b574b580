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
      'the console',
      { breadcrumbs: [{ category: 'console', message: "⨯ Error: no { digest: '1135396951' }" }] },
    ],
  ])('is found in %s', (_place, raw) => {
    expect(digestsOf(raw)).toEqual(['1135396951'])
  })

  it('is none where a framework steers: redirects and not-founds', () => {
    expect(digestsOf({ tags: { digest: 'NEXT_REDIRECT;push;/login;307;' } })).toEqual([])
  })

  it('is looked for without ever failing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        expect(digestsOf(raw).length).toBeLessThanOrEqual(5)
      }),
    )
  })
})
