import { describe, expect, it } from 'vitest'
import { keyPress } from '#test/key-press.ts'
import { findPressedKey, isPaletteKey } from './pressed-key.ts'

describe('the pressed key', () => {
  it.each([
    [{}, 'j'],
    [{ key: 'X', code: 'KeyX', shiftKey: true }, 'X'],
    [{ key: '?', code: 'Slash', shiftKey: true }, '?'],
    // German: Shift+7.
    [{ key: '/', code: 'Digit7', shiftKey: true }, '/'],
    // Caps Lock.
    [{ key: 'J' }, 'j'],
    // Russian and Greek keyboards.
    [{ key: 'о' }, 'j'],
    [{ key: 'ξ' }, 'j'],
    // A held key moves on.
    [{ repeat: true }, 'j'],
    // A Latin keyboard with another layout (Dvorak).
    [{ key: 'h', code: 'KeyJ' }, 'h'],
  ])('%j is %s', (change, key) => {
    expect(findPressedKey(keyPress(change))).toBe(key)
  })

  it.each([
    [{ ctrlKey: true }, "the browser's"],
    [{ metaKey: true }, "the browser's"],
    [{ altKey: true }, "the browser's"],
    [{ repeat: true, key: 'e', code: 'KeyE' }, 'a held key'],
    [{ isComposing: true, key: 'Process' }, "an input method's"],
    [{ defaultPrevented: true }, "somebody else's"],
    [{ key: 'Dead', code: 'BracketLeft' }, 'an accent on its way'],
    [{ key: 'Tab', code: 'Tab' }, 'no character'],
    [{ key: ' ', code: 'Space' }, 'what scrolls and ticks boxes'],
  ])('ignores %j: %s', (...[change]) => {
    expect(findPressedKey(keyPress(change))).toBeUndefined()
  })
})

describe('the key of the palette', () => {
  const k = { key: 'k', code: 'KeyK' }

  it('is ⌘K on an Apple machine, and Ctrl+K elsewhere', () => {
    expect(isPaletteKey(keyPress({ ...k, metaKey: true }), true)).toBe(true)
    expect(isPaletteKey(keyPress({ ...k, ctrlKey: true }), false)).toBe(true)
    expect(isPaletteKey(keyPress({ key: 'л', code: 'KeyK', ctrlKey: true }), false)).toBe(true)
  })

  it('does not match shortcuts of the system or of a text field', () => {
    expect(isPaletteKey(keyPress({ ...k, ctrlKey: true }), true)).toBe(false)
    expect(isPaletteKey(keyPress({ ...k, metaKey: true }), false)).toBe(false)
    expect(isPaletteKey(keyPress({ ...k, ctrlKey: true, shiftKey: true }), false)).toBe(false)
    expect(isPaletteKey(keyPress({ ...k, ctrlKey: true, altKey: true }), false)).toBe(false)
    expect(isPaletteKey(keyPress(k), false)).toBe(false)
  })
})
