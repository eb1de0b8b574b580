import { describe, expect, it } from 'vitest'
import { isReactHydrationError } from './react-hydration-errors.ts'

function isHydration(value: string): boolean {
  return isReactHydrationError({ type: 'error', exceptions: [{ type: 'Error', value }] })
}

describe('isReactHydrationError', () => {
  it.each([418, 419, 421, 422, 423, 425])('recognizes the minified error %i of React 18 and 19', (code) => {
    const old = `https://reactjs.org/docs/error-decoder.html?invariant=${code} for the full message`
    expect(isHydration(`Minified React error #${code}; visit ${old}`)).toBe(true)
    expect(
      isHydration(`Minified React error #${code}; visit https://react.dev/errors/${code}?args[]=HTML for`),
    ).toBe(true)
  })

  it('keeps other errors of React', () => {
    expect(
      isHydration('Minified React error #310; visit https://react.dev/errors/310 for the full message'),
    ).toBe(false)
    expect(isHydration('Hydration failed because the initial UI does not match')).toBe(false)
    expect(isReactHydrationError({ type: 'default', exceptions: [] })).toBe(false)
  })
})
