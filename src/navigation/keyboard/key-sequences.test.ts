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

  it('does nothing by itself with a key that does not go on with what was begun', () => {
    expect(press('g e j')).toEqual([undefined, undefined, 'down'])
  })

  it('restarts when a key begins another sequence', () => {
    expect(press('g g p')).toEqual([undefined, undefined, 'projects'])
  })

  it('is forgotten after its time', () => {
    expect(press('g i', 1001)).toEqual([undefined, 'inbox'])
  })

  it('is forgotten when something else happened in between', () => {
    const sequences = createKeySequences(bindings, 1000)
    expect(sequences.press('g', 0)).toEqual({ kind: 'begun' })
    sequences.reset()
    expect(sequences.press('i', 1)).toEqual({ kind: 'done', action: 'inbox' })
  })

  it('never acts on keys that nothing is bound to, even those that every object has', () => {
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
