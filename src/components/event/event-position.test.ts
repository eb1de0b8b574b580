import { expect, it } from 'vitest'
import { eventPositionText } from './event-position.ts'

const ends = { firstEventId: 'a', latestEventId: 'b' }
const all = { eventCount: 12_403, keptEventCount: 12_403 }

it.each([
  [{ earlierCount: 117 }, all, '118 of 12,403'],
  [{ laterCount: 0 }, all, '12,403 of 12,403'],
  [{}, all, 'One of 12,403'],
  [{ earlierCount: 0, laterCount: 499 }, { ...all, keptEventCount: 500 }, '1 of 500 stored, 12,403 in total'],
  // While retention deletes, the counts may be from two points in time.
  [{ earlierCount: 9 }, { ...all, keptEventCount: 5 }, 'One of 5 stored, 12,403 in total'],
  [{ laterCount: 9 }, { ...all, keptEventCount: 5 }, 'One of 5 stored, 12,403 in total'],
])('an event of %j is described by its position', (position, issue, text) => {
  expect(eventPositionText({ ...ends, ...position }, issue)).toBe(text)
})
