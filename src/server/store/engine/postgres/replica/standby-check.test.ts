import { expect, it } from 'vitest'
import { judgeStandby } from './standby-check.ts'

const primary = { written: 5_000, now: 100_000, identity: '7001 culvert' }
const standby = { is_standby: 1, replayed: 5_000, replayed_at: 99_000, identity: '7001 culvert' }

it.each([
  ['has everything', {}, { isUsed: true, lagMs: 0 }],
  ['has everything, and nothing was written for a day', { replayed_at: 0 }, { isUsed: true, lagMs: 0 }],
  ['is a second behind', { replayed: 4_999 }, { isUsed: true, lagMs: 1_000 }],
  [
    'has a clock ahead of the question',
    { replayed: 4_999, replayed_at: 100_001 },
    { isUsed: true, lagMs: 0 },
  ],
])('a standby is used that %s', (_what, found, expected) => {
  expect(judgeStandby(primary, { ...standby, ...found })).toEqual(expected)
})

it.each([
  ['is eleven seconds behind', { replayed: 4_999, replayed_at: 89_000 }, /more than 10 seconds behind/],
  ['has replayed nothing yet', { replayed: 4_999, replayed_at: null }, /nothing since it started/],
  ['is a primary', { is_standby: 0 }, /not a standby/],
  ['follows another server', { identity: '7002 culvert' }, /another server, or another database/],
  ['holds another database', { identity: '7001 other' }, /another server, or another database/],
])('a standby is not used that %s', (_what, found, problem) => {
  const state = judgeStandby(primary, { ...standby, ...found })
  expect(state.isUsed).toBe(false)
  expect(state.problem).toMatch(problem)
})
