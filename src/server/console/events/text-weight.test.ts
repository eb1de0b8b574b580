import { expect, it } from 'vitest'
import { cutToWeight, textWeight } from './text-weight.ts'

it('weighs a character outside ASCII as three ASCII characters', () => {
  expect([textWeight(''), textWeight('abc\n'), textWeight('注文a'), textWeight('é')]).toEqual([0, 4, 7, 3])
})

it('cuts a text to a weight', () => {
  expect(cutToWeight('abc', 3)).toBe('abc')
  expect(cutToWeight('abcd', 3)).toBe('abc')
  expect(cutToWeight('a注文', 6)).toBe('a注')
  expect(cutToWeight('a😀', 5)).toBe('a\uFFFD')
  const text = '注文 order '.repeat(10_000)
  expect(textWeight(cutToWeight(text, 24_000))).toBeLessThanOrEqual(24_000)
})
