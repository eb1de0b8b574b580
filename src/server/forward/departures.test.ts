import { beforeEach, expect, it } from 'vitest'
import { Departures } from './departures.ts'

let departures: Departures
beforeEach(() => {
  departures = new Departures()
  for (const number of [1, 2, 3]) departures.start(number)
})

const free = () => departures.countFree({ atOnce: 4, places: 6 })

it('an envelope that has no answer is overtaken by fewer than are sent at once', () => {
  expect(free()).toBe(1)
  departures.noteAnswer(2)
  departures.noteAnswer(3)
  expect(free()).toBe(1)
  departures.end(3, 'ended')
  expect(free()).toBe(1)
  departures.noteAnswer(1)
  expect(free()).toBe(3)
})

it('those that wait for their commit keep their places, and so do those behind them', () => {
  for (const number of [1, 2, 3]) departures.noteAnswer(number)
  for (const number of [4, 5]) departures.start(number)
  departures.end(2, 'ended')
  departures.end(3, 'ended')
  expect(departures.count).toBe(5)
  expect(free()).toBe(1)
  departures.end(1, 'ended')
  expect(departures.count).toBe(2)
  expect(free()).toBe(2)
})

it('one that is to be sent again is told of when it has left', () => {
  expect(departures.end(2, 'again')).toBe(false)
  expect(departures.has(2)).toBe(true)
  expect(departures.end(1, 'ended')).toBe(true)
  expect(departures.has(2)).toBe(false)
  expect(departures.end(3, 'ended')).toBe(false)
})
