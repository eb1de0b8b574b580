import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { userHash } from '#server/store/issues/id.ts'
import { addUserHashes, countUsers } from './window-users.ts'

const usersOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => userHash(`id:${from + at}`))

it('counts users of several twelfths once', () => {
  const parts = [usersOf(0, 100), usersOf(50, 150), usersOf(0, 150)].map((users) =>
    addUserHashes(undefined, users),
  )
  expect(countUsers(parts)).toBe(150)
  expect(countUsers([])).toBe(0)
})

it('counts users that are added later, and those that are there only once', () => {
  let known: Uint8Array | undefined
  for (const [from, to] of [
    [0, 10],
    [5, 20],
    [0, 20],
  ] as const)
    known = addUserHashes(known, usersOf(from, to))
  expect(countUsers([known ?? new Uint8Array()])).toBe(20)
})

it('estimates more than it keeps within 15 percent, three times the standard error, in bounded bytes', () => {
  for (const count of [1_000, 20_000, 200_000]) {
    const part = addUserHashes(undefined, usersOf(0, count))
    expect(part.byteLength).toBe(8 * limits.alertWindowUsers)
    expect(Math.abs(countUsers([part, part]) / count - 1)).toBeLessThan(0.15)
  }
})
