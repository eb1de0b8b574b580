import { beforeEach, expect, it } from 'vitest'
import { InFlightWindow } from './in-flight-window.ts'

let states: InFlightWindow
beforeEach(() => {
  states = new InFlightWindow()
  for (const number of [1, 2, 3]) states.start(number)
})

const free = () => states.countFree({ atOnce: 4, size: 6 })

it('an unanswered envelope is overtaken by fewer than may be in flight', () => {
  expect(free()).toBe(1)
  states.noteAnswer(2)
  states.noteAnswer(3)
  expect(free()).toBe(1)
  states.end(3, 'ended')
  expect(free()).toBe(1)
  states.noteAnswer(1)
  expect(free()).toBe(3)
})

it('envelopes that wait for their commit keep their slots, and so do those after them', () => {
  for (const number of [1, 2, 3]) states.noteAnswer(number)
  for (const number of [4, 5]) states.start(number)
  states.end(2, 'ended')
  states.end(3, 'ended')
  expect(states.count).toBe(5)
  expect(free()).toBe(1)
  states.end(1, 'ended')
  expect(states.count).toBe(2)
  expect(free()).toBe(2)
})

it('an envelope to be retried stays in flight until all envelopes before it end', () => {
  expect(states.end(2, 'retry')).toBe(false)
  expect(states.has(2)).toBe(true)
  expect(states.end(1, 'ended')).toBe(true)
  expect(states.has(2)).toBe(false)
  expect(states.end(3, 'ended')).toBe(false)
})
