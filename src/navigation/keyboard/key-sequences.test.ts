import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeySequences } from './key-sequences.ts'

const bindings = { j: 'down', e: 'resolve', i: 'inbox', 'g i': 'issues', 'g p': 'projects' }

function press(keys: string, stepMs = 100): (string | undefined)[] {
  const sequences = createKeySequences(bindings, 1000)
  return keys.split(' ').map((key, index) => {
    const outcome = sequences.press(key, index * stepMs)
    return outcome.kind === 'done' ? outcome.action : undefined
  })
}

describe('a sequence of keys', () => {
  it('acts on a single key at once', () => {
    expect(press('j j')).toEqual(['down', 'down'])
  })

  it('acts on the last key of a longer one', () => {
    expect(press('g i')).toEqual([undefined, 'issues'])
  })

  it('ignores a key that does not continue it', () => {
    expect(press('g e j')).toEqual([undefined, undefined, 'down'])
  })

  it('restarts when a key starts another sequence', () => {
    expect(press('g g p')).toEqual([undefined, undefined, 'projects'])
  })

  it('is forgotten after its time', () => {
    expect(press('g i', 1001)).toEqual([undefined, 'inbox'])
  })

  it('is reset by another action in between', () => {
    const sequences = createKeySequences(bindings, 1000)
    expect(sequences.press('g', 0)).toEqual({ kind: 'begun' })
    sequences.reset()
    expect(sequences.press('i', 1)).toEqual({ kind: 'done', action: 'inbox' })
  })

  it('ignores unbound keys, even names that every object has', () => {
    expect(press('constructor toString __proto__')).toEqual([undefined, undefined, undefined])
  })

  it('matches its binding after any keys once an unbound key has reset it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('g', 'j', 'i', 'p', 'e', 'z')), (before) => {
        const outcomes = press([...before, 'z', 'z', 'g', 'p'].join(' '))
        expect(outcomes.at(-1)).toBe('projects')
      }),
    )
  })
})
