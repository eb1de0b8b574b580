import { describe, expect, it } from 'vitest'
import { fillTemplate } from './message-template.ts'

describe('fillTemplate', () => {
  it.each([
    ['Hello %s, %d%% of %5.2f', ['Jo', 50, 1.5], 'Hello Jo, 50% of 1.5'],
    ['Hello %(name)s', { name: 'Jo' }, 'Hello Jo'],
    ['Hello {} and {}', ['Jo', 'Ann'], 'Hello Jo and Ann'],
    ['Hello {1}, {0:x}', ['Jo', 'Ann'], 'Hello Ann, Jo'],
    ['Hello {Name}', { Name: { first: 'Jo' } }, 'Hello {"first":"Jo"}'],
    ['Hello %s and %s', ['Jo'], 'Hello Jo and %s'],
    ['Hello {constructor}', {}, 'Hello {constructor}'],
    ['Hello %s', 'Jo', 'Hello %s'],
    ['no placeholder', ['Jo'], 'no placeholder'],
  ])('fills %j', (template, params, filled) => {
    expect(fillTemplate(template, params, 1000).text).toBe(filled)
  })

  it('bounds the memory of one long parameter', () => {
    const filled = fillTemplate('{a}'.repeat(1000), { a: 'x'.repeat(500) }, 1000)
    expect(filled.text.length).toBeLessThan(5000)
  })

  it('returns the positions of the parameters', () => {
    const { text, ranges } = fillTemplate('%% %(user)s: {} {0}', { user: 'Jo', 0: 'first' }, 1000)
    expect(text).toBe('% Jo: first first')
    expect(ranges.map(({ name, start, end }) => [name, text.slice(start, end)])).toEqual([
      ['user', 'Jo'],
      ['0', 'first'],
      ['0', 'first'],
    ])
  })
})
