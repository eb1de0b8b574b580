import { describe, expect, it } from 'vitest'
import { threadCpuMs } from '#test/cpu-time.ts'
import { findFixedIssues } from './fix-keywords.ts'

const origin = 'https://culvert.example'
const read = (message: string) =>
  findFixedIssues(message, origin).map((issue) =>
    'issueId' in issue ? issue.issueId : `${issue.slug}-${issue.number.toString(36)}`,
  )

describe('the issues that a commit message fixes', () => {
  it.each([
    ['Fixes SHOP-1A', ['shop-1a']],
    ['fix SHOP-1A', ['shop-1a']],
    ['FIXED: shop-1a.', ['shop-1a']],
    ['Empty the cart\n\nCloses SHOP-1, SHOP-2 and web-shop-3', ['shop-1', 'shop-2', 'web-shop-3']],
    ['close SHOP-1,SHOP-2', ['shop-1', 'shop-2']],
    ['closed SHOP-1 SHOP-2 & API-3', ['shop-1', 'shop-2', 'api-3']],
    ['resolve SHOP-1; resolves: SHOP-2', ['shop-1', 'shop-2']],
    ['Cart (resolved SHOP-1), fixes SHOP-1', ['shop-1']],
    ['Fixes [SHOP-1A](https://culvert.example/issues/1)', ['shop-1a']],
    ['fix: SHOP-7: carts of guests, SHOP-8', ['shop-7']],
    ['Fixes https://culvert.example/issues/123456789012', [123_456_789_012]],
    ['Fixes https://culvert.example/organizations/acme/issues/SHOP-1A/?x=1.', ['shop-1a']],
  ])('are found in %j', (message, issues) => {
    expect(read(message)).toEqual(issues)
  })

  it.each([
    'SHOP-1A',
    'See SHOP-1A',
    'Prefixes SHOP-1A',
    'Fix the order of pre-2',
    'Fix carts and SHOP-1',
    'fixes #12',
    'Fixes https://elsewhere.example/issues/123456789012',
    'Revert "Fixes SHOP-1A"',
    'Revert "Fixes SHOP-1A"\n\nThis reverts commit 1a2b3c4.',
    '',
  ])('are none in %j', (message) => {
    expect(read(message)).toEqual([])
  })

  it('are bounded, and found in linear time in hostile messages', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `A-${index.toString(36)}`).join(',')
    expect(read(`Fixes ${many}`).length).toBeLessThanOrEqual(50)
    const startedAt = threadCpuMs()
    for (const part of [
      'fix ',
      'fixes -a',
      'a-',
      '[',
      '(((',
      '***',
      'fix:\t',
      'https://culvert.example/issues/',
    ])
      read(`Fixes ${part.repeat(1_000_000 / part.length)}`)
    expect(threadCpuMs() - startedAt).toBeLessThan(1_000)
  })
})
