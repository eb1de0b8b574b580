import { describe, expect, it } from 'vitest'
import { createFieldNames } from './field-name.ts'

/** Counts how often a name is parsed rather than cached: each parse checks the exclusions once. */
class CountingSet extends Set<string> {
  count = 0

  override has(name: string): boolean {
    this.count += 1
    return super.has(name)
  }
}

function countReadings(names: Iterable<string>, excluded: string[] = []): number {
  const excludedFields = new CountingSet(excluded)
  const readName = createFieldNames({ fields: [], excludedFields, hasSecretNames: true })
  for (const name of names) readName(name)
  return excludedFields.count
}

function* numbered(toName: (index: number) => string): Generator<string> {
  for (let index = 0; index < 10_000; index += 1) yield toName(index)
}

describe('the names of fields', () => {
  it.each([
    ['a list as an object', String],
    ['names with a number at the end', (index: number) => `someKey_${index}`],
    ['names with several numbers', (index: number) => `item${index}.part${index % 7}[${index}]`],
  ])('are read once for all of %s', (_what, toName) => {
    expect(countReadings(numbered(toName))).toBe(1)
  })

  it('are distinguished by their digits when the settings do', () => {
    expect(countReadings(numbered(String), ['field7'])).toBe(10_000)
    const readName = createFieldNames({
      fields: ['pin2'],
      excludedFields: new Set(['token1']),
      hasSecretNames: true,
    })
    const kinds = ['token1', 'token2', 'pin1', 'pin2'].map((name) => readName(name).kind)
    expect(kinds).toEqual(['excluded', 'secret', 'plain', 'own'])
  })

  it.each([
    'token7',
    'my2ndPassword3',
    'otp1',
    'db2_pass',
    'x-api-key-9',
    'passwd',
    'PHPSESSID',
    'credit_card_no2',
  ])('%s is secret with any digits', (name) => {
    const readName = createFieldNames({ fields: [], excludedFields: new Set(), hasSecretNames: true })
    expect(readName(name.replaceAll(/\d/g, '5')).kind).toBe('secret')
    expect(readName(name).kind).toBe('secret')
  })
})
