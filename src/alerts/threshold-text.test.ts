import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import { formatThresholdText, parseThreshold, thresholdExamples } from './threshold-text.ts'

it('reads its examples', () => {
  expect(thresholdExamples.map(parseThreshold)).toEqual([
    { of: 'events', atLeast: 100, unit: 'count', windowMs: 5 * minuteMs },
    { of: 'users', atLeast: 20, unit: 'count', windowMs: hourMs },
    { of: 'events', atLeast: 300, unit: 'percent', windowMs: hourMs },
  ])
})

it('parses what it formats', () => {
  const threshold = fc.record({
    of: fc.constantFrom('events', 'users'),
    atLeast: fc.integer({ min: 1, max: 999_999_999 }),
    unit: fc.constantFrom('count', 'percent'),
    windowMs: fc.constantFrom(minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, dayMs),
  })
  fc.assert(
    fc.property(threshold, (each) => {
      expect(parseThreshold(formatThresholdText(each))).toEqual(each)
    }),
  )
})

it('reads the window as the sentence of a rule writes it', () => {
  expect(parseThreshold('20 users in an hour')).toEqual(parseThreshold('20 users in 1 hour'))
  expect(parseThreshold('300% of events in a day')).toEqual(parseThreshold('300% of events in 1 day'))
})

it('rejects any other text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(parseThreshold(`${text}!`)).toBeUndefined()
    }),
  )
  for (const text of ['', '100 events', 'events in 5 minutes', '-1 events in 1 hour', '1 event in 1 week'])
    expect(parseThreshold(text)).toBeUndefined()
})
