import { describe, expect, it } from 'vitest'
import { matchInnerScreens } from './inner-screens.ts'

const texts = (text: string, canConfigure: boolean) =>
  matchInnerScreens(text, canConfigure).map((screen) => screen.text)

describe('matchInnerScreens', () => {
  it('omits screens that the user cannot use', () => {
    expect(texts('members', false)).toEqual([])
    expect(texts('system', false)).toEqual([])
    expect(texts('new pro', false)).toEqual([])
    expect(texts('token', false)).toEqual(['API tokens'])
  })

  it('offers members and the system to administrators, too', () => {
    expect(texts('members', true)).toEqual(['Members'])
    expect(texts('syst', true)).toEqual(['System'])
  })

  it('returns nothing until a text is entered', () => {
    expect(texts(' ', true)).toEqual([])
  })
})
