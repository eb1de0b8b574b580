import { describe, expect, it } from 'vitest'
import { keyPress } from '#test/key-press.ts'
import { createTypeAhead } from './type-ahead.ts'

describe('text typed before its field is rendered', () => {
  it('ignores keys when no field is pending', () => {
    expect(createTypeAhead().press(keyPress({ key: 'a' }))).toBe(false)
  })

  it('is kept in order, as the field would show it', () => {
    const ahead = createTypeAhead()
    ahead.start()
    const keys = ['a', 'r', 'x', 'Backspace', 'C', ' ', 'é', 'Shift', 'Enter']
    expect(keys.filter((key) => !ahead.press(keyPress({ key })))).toEqual([])
    expect(ahead.take()).toBe('arC é')
  })

  it('excludes keys with Ctrl, Alt or ⌘', () => {
    const ahead = createTypeAhead()
    ahead.start()
    expect(ahead.press(keyPress({ key: 'r', ctrlKey: true }))).toBe(false)
    expect(ahead.press(keyPress({ key: 'r', metaKey: true }))).toBe(false)
    expect(ahead.take()).toBe('')
  })

  it('is returned once, and a second start keeps it', () => {
    const ahead = createTypeAhead()
    ahead.start()
    ahead.press(keyPress({ key: 'a' }))
    ahead.start()
    expect(ahead.take()).toBe('a')
    expect(ahead.take()).toBe('')
    expect(ahead.press(keyPress({ key: 'a' }))).toBe(false)
  })

  it('is not buffered while the field is on the page', () => {
    const ahead = createTypeAhead()
    const hide = ahead.show()
    ahead.start()
    expect(ahead.press(keyPress({ key: 'a' }))).toBe(false)
    hide()
    ahead.start()
    expect(ahead.press(keyPress({ key: 'a' }))).toBe(true)
  })
})
