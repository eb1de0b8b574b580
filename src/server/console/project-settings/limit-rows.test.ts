import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { countField, parseCount } from './fields/count-field.ts'
import { limitRowFields, readLimitRows, toLimitRows } from './limit-rows.ts'

const read = (rows: [category: string, quantity: string, seconds: string][]) =>
  readLimitRows(
    {
      'key-category': rows.map(([category]) => category),
      'key-quantity': rows.map(([, quantity]) => quantity),
      'key-seconds': rows.map(([, , seconds]) => seconds),
    },
    'key',
  )

describe('rows of limits', () => {
  it('are limits by category, without the rows that have no number', () => {
    expect(
      read([
        ['error', '1,000', '60'],
        ['attachment', '50M', '3600'],
        ['session', ' ', '60'],
        ['all', '0', '1'],
      ]),
    ).toEqual({
      ok: true,
      limits: {
        error: { quantity: 1_000, windowSeconds: 60 },
        attachment: { quantity: 50_000_000, windowSeconds: 3_600 },
        all: { quantity: 0, windowSeconds: 1 },
      },
    })
  })

  it.each([
    [['errors', '1', '60'], 'Unknown category "errors".'],
    [['error', '5 apples', '60'], '"5 apples" is not a number'],
    [['error', '-1', '60'], '"-1" is not a number'],
    [['error', '1e3', '60'], '"1e3" is not a number'],
    [['error', '9007199254740993', '60'], 'is not a number'],
    [['error', '1', ''], 'Choose a time from the list.'],
    [['error', '1', '86401'], 'Choose a time from the list.'],
    [['__proto__', '1', '60'], 'Unknown category "__proto__".'],
  ] as const)('are rejected: %j', ([category, quantity, seconds], message) => {
    const result = read([[category, quantity, seconds]])
    expect(result.ok ? '' : result.message).toContain(message)
  })

  it('are rejected when a category has two', () => {
    const row: [string, string, string] = ['error', '1', '60']
    expect(read([row, row])).toEqual({ ok: false, message: 'Row 2: there is already a limit for error.' })
  })

  it('are read back from their form fields', () => {
    const fields = v.parse(limitRowFields('key'), { 'key-category': 'error', 'key-quantity': '7' })
    expect(fields).toEqual({ 'key-category': ['error'], 'key-quantity': ['7'], 'key-seconds': [] })
    expect(toLimitRows({ error: { quantity: 7, windowSeconds: 60 } })).toEqual([
      { category: 'error', quantity: 7, windowSeconds: 60 },
    ])
  })
})

const problemOf = (entered: string) => v.safeParse(countField(10), entered).issues?.[0].message

describe('a number with separators', () => {
  it.each([
    ['1000000', 1_000_000],
    ['1,000,000', 1_000_000],
    ['1 000 000', 1_000_000],
    ['1\u202f000', 1_000],
    ['1.000', 1_000],
    ['12', 12],
  ])('is read: %j', (entered, count) => {
    expect(parseCount(entered)).toBe(count)
  })

  it.each(['', '1,00', '1,0000', '1.5', 'many', '0x10', '99999999999999999'])(
    'is not guessed: %j',
    (entered) => {
      expect(parseCount(entered)).toBeUndefined()
    },
  )

  it('is rejected outside its bounds with the valid range', () => {
    expect(problemOf('0')).toBe('Enter a whole number of at least 1.')
    expect(problemOf('x')).toBe('Enter a whole number of at least 1.')
    expect(problemOf('11')).toBe('Enter at most 10.')
    expect(problemOf('10')).toBeUndefined()
  })
})
