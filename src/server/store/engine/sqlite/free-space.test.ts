import { expect, it } from 'vitest'
import { isLowSpace } from './free-space.ts'

const withFree = (freeBytes: number) => ({ freeBytes, floorBytes: 1_000 })

it('is low below the floor, and then until it is clearly above it', () => {
  expect(isLowSpace(withFree(999))).toBe(true)
  expect(isLowSpace(withFree(1_000))).toBe(false)
  expect(isLowSpace(withFree(1_200), true)).toBe(true)
  expect(isLowSpace(withFree(1_300), true)).toBe(false)
  expect(isLowSpace(undefined, true)).toBe(false)
})
