import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findMentions } from './mentions.ts'

const people = [
  { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' },
  { userId: 'ad', name: 'Ad', email: 'ad.min@example.com' },
  { userId: 'eve', name: 'Évé', email: 'eve@example.com' },
  { userId: 'eva', name: 'Sam', email: 'eva@example.com' },
  { userId: 'sam', name: 'Sam', email: 'sam@example.org' },
  { userId: 'odd', name: '', email: '' },
]
const mentioned = (text: string) => findMentions(text, people).map(({ userId }) => userId)

it.each<[string, string[]]>([
  ['@Ada Lovelace, please look', ['ada']],
  ['thanks @ada lovelace!', ['ada']],
  ['@ada@example.com and @ADA', ['ada']],
  ['(@Ad) @ad.min.', ['ad']],
  ['@ad.minor @adam @ada_x @ada-x', []],
  ['@évé', ['eve']],
  ['@Sam', ['eva', 'sam']],
  ['@sam@example.org', ['sam']],
  ['mail ada@example.com, x@Ada, https://example.com/@Ada', ['ada']],
  ['@ nobody @', []],
  ['`@Ada Lovelace` and\n```\n@Ad\n```', []],
  ['``` @Ad', []],
  ['@everyone @channel @here', []],
])('%s mentions %j', (text, expected) => {
  expect(mentioned(text)).toEqual(expected)
})

it('reads any text in bounded time, and finds only users', () => {
  expect(mentioned('@Ad '.repeat(100_000))).toEqual(['ad'])
  expect(mentioned('@'.repeat(100_000))).toEqual([])
  expect(mentioned('`'.repeat(100_000))).toEqual([])
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('@', 'Ada', ' ', 'Lovelace', '`', '.', 'é', '\n', '💥')),
      (parts) => {
        for (const { written } of findMentions(parts.join(''), people))
          expect(parts.join('')).toContain(`@${written}`)
      },
    ),
    { examples: [[['@', 'Ada', '`', '`', 'Lovelace']]] },
  )
})
