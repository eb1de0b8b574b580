import { describe, expect, it } from 'vitest'
import { createKeyQueue } from './key-queue.ts'

/** A queue whose keys append to `handled`; "K" begins a text, "." ends it. */
function createQueue(early: string) {
  const handled: string[] = []
  const rendering: (() => void)[] = []
  let isTyping = false
  const queue = createKeyQueue(early.split(''), {
    handle(key, isLate) {
      handled.push(isLate ? key : `${key}!`)
      if (key === 'K' || key === '.') isTyping = key === 'K'
    },
    isTyping: () => isTyping,
    afterRendering: (callback) => rendering.push(callback),
  })
  return {
    press: (keys: string) => keys.split('').forEach((key) => queue.press(key)),
    drop: () => queue.drop(),
    render: () => rendering.shift()?.(),
    handled: () => handled.join(''),
  }
}

describe('keys pressed before the keyboard’s code is loaded', () => {
  it('are handled one after another, each on the page that the previous one left', () => {
    const { render, handled } = createQueue('jjx')
    expect(handled()).toBe('j')
    render()
    expect(handled()).toBe('jj')
    render()
    expect(handled()).toBe('jjx')
  })

  it('are not overtaken by a key that is pressed meanwhile', () => {
    const { press, render, handled } = createQueue('CK')
    press('se')
    expect(handled()).toBe('C')
    render()
    expect(handled()).toBe('CKse')
    press('t')
    expect(handled()).toBe('CKset!')
  })

  it('are at once complete if they are a text', () => {
    expect(createQueue('Kset.j').handled()).toBe('Kset.')
  })

  it('are discarded with the keyboard', () => {
    const { drop, render, handled } = createQueue('jk')
    drop()
    render()
    expect(handled()).toBe('j')
  })
})

it('a key is handled at once if none waits', () => {
  const { press, handled } = createQueue('')
  press('jk')
  expect(handled()).toBe('j!k!')
})
