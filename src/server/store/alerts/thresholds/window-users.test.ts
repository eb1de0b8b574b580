import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { userHash } from '#server/store/issues/id.ts'
import { addUserHashes, countUsers } from './window-users.ts'

const usersOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => userHash(`id:${from + at}`))

it('counts users of several buckets once', () => {
  const parts = [usersOf(0, 100), usersOf(50, 150), usersOf(0, 150)].map(
    (users) => addUserHashes(undefined, users) ?? new Uint8Array(),
  )
  expect(countUsers(parts)).toBe(150)
  expect(countUsers([])).toBe(0)
})

it('counts users that are added later, and known ones only once', () => {
  let known: Uint8Array | undefined
  for (const [from, to] of [
    [0, 10],
    [5, 20],
    [0, 20],
  ] as const)
    known = addUserHashes(known, usersOf(from, to)) ?? known
  expect(countUsers([known ?? new Uint8Array()])).toBe(20)
})

it('estimates more than it keeps within 15 percent, three times the standard error, in bounded bytes', () => {
  for (const count of [1_000, 20_000, 200_000]) {
    const part = addUserHashes(undefined, usersOf(0, count)) ?? new Uint8Array()
    expect(part.byteLength).toBe(8 * limits.alertWindowUsers)
    expect(Math.abs(countUsers([part, part]) / count - 1)).toBeLessThan(0.15)
  }
})

it('changes nothing for users that are known, or whose hashes are not among the smallest', () => {
  const few = addUserHashes(undefined, usersOf(0, 20))
  expect(addUserHashes(few, usersOf(5, 15))).toBeUndefined()
  const full = addUserHashes(undefined, usersOf(0, 100_000))
  const largest = Math.max(...usersOf(0, 100_000))
  expect(addUserHashes(full, [largest + 1])).toBeUndefined()
})
