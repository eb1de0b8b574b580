import { describe, expect, it } from 'vitest'
import { findSearchHints } from './hints.ts'
import { parseSearch } from './parse-search.ts'

const textsFor = (search: string) => findSearchHints(search).map(({ text }) => text)

describe('a search without results', () => {
  it.each([
    ['ada@example.com', ['user.email:ada@example.com', 'assigned:ada@example.com']],
    ['203.0.113.7', ['user.ip:203.0.113.7']],
    ['2001:db8::1', ['user.ip:2001:db8::1']],
    ['web@1.4.0', ['release:web@1.4.0']],
    ['/checkout', ['url:*/checkout*']],
    ['https://shop.example/pay', ['url:*https://shop.example/pay*']],
    ['payment.ts', ['stack.filename:*payment.ts']],
    ['src/lib/payment.ts', ['stack.filename:*src/lib/payment.ts']],
    ['handleClick', ['stack.function:*handleClick*']],
  ])('suggests other fields: %s', (search, hints) => {
    expect(textsFor(search)).toEqual(hints)
    for (const text of hints) expect(parseSearch(text).problems).toEqual([])
  })

  it.each(['', 'two words', 'level:error', '!ada@example.com', '"a phrase"', 'is:new ada@example.com', 'ab'])(
    'has no hint: %j',
    (search) => {
      expect(textsFor(search)).toEqual([])
    },
  )
})
