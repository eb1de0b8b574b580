import { expect, it } from 'vitest'
import { hourMs } from '#time/time-steps.ts'
import { crashFreeExamples, formatCrashFreeText, parseCrashFree } from './crash-free-text.ts'
import { listCrashFreeChanges, startOfCrashWindow, stepCrashFree, toCrashFreeNotice } from './crash-free.ts'
import type { CrashFreeLimit } from './rule.ts'

const limit: CrashFreeLimit = {
  of: 'sessions',
  below: 99,
  isOfRelease: false,
  windowMs: hourMs,
  atLeast: 100,
}

const step = (isLow: boolean, count: number, crashedCount: number) =>
  stepCrashFree(limit, { isLow, counted: { count, crashedCount } })

it('is crossed below the rate, and not at it', () => {
  expect(step(false, 1_000, 10)).toBeUndefined()
  expect(step(false, 1_000, 11)).toBe('low')
})

it('ignores too few sessions, and ends silently when there are no more', () => {
  expect(step(false, 99, 99)).toBeUndefined()
  expect(step(false, 0, 0)).toBeUndefined()
  expect(step(true, 99, 0)).toBe('unknown')
})

it('is back to normal a tenth above the rate, so that a rate at the limit notifies once', () => {
  expect(step(true, 1_000, 11)).toBeUndefined()
  expect(step(true, 1_000, 10)).toBeUndefined()
  expect(step(true, 1_000, 9)).toBe('normal')
})

it('reads the current hour and the window before it', () => {
  expect(startOfCrashWindow(limit, 10 * hourMs + 5)).toBe(9 * hourMs)
  expect(startOfCrashWindow({ ...limit, of: 'users', windowMs: 24 * hourMs }, 30 * hourMs)).toBe(0)
})

const hour = (at: number, count: number, crashedCount: number) => ({ at: at * hourMs, count, crashedCount })

it('finds past changes', () => {
  const changes = listCrashFreeChanges(limit, [
    hour(1, 1_000, 0),
    hour(2, 1_000, 100),
    hour(3, 1_000, 100),
    hour(4, 1_000, 0),
    hour(5, 1_000, 0),
  ])
  expect(changes.map(({ at, change }) => [at / hourMs, change])).toEqual([
    [2, 'low'],
    [5, 'normal'],
  ])
})

it('is named with its rate, never rounded up to the limit', () => {
  const counted = { count: 10_000, crashedCount: 101 }
  expect(toCrashFreeNotice(limit, { counted, release: 'web@1', subject: 'r web@1' })).toMatchObject({
    title: '98.99% of 10,000 sessions without a crash in an hour in web@1, less than 99%',
    level: 'error',
    release: 'web@1',
  })
})

it.each([
  ['99.5% of sessions in 1 hour', 1],
  ['98% of users in 1 day, at least 200', 24],
  ['99% of sessions of a release in 6 hours', 6],
] as const)('parses "%s" and formats it again', (text, hours) => {
  expect(crashFreeExamples).toContain(text)
  const parsed = parseCrashFree(text)
  expect(parsed?.windowMs).toBe(hours * hourMs)
  const windowMs = hours === 24 ? 24 * hourMs : hours === 6 ? 6 * hourMs : hourMs
  expect(formatCrashFreeText({ ...limit, ...parsed, windowMs })).toBe(text)
})

it('reads the window as the sentence of a rule writes it', () => {
  expect(parseCrashFree('99% of sessions in an hour')).toEqual(parseCrashFree('99% of sessions in 1 hour'))
})

it.each(['99', '99% of events in 1 hour', '100% of sessions in 1 hour', '99% of sessions in 5 minutes', ''])(
  'rejects "%s"',
  (text) => expect(parseCrashFree(text)).toBeUndefined(),
)
