import { expect, it } from 'vitest'
import { endOfQuietHours, isQuietAt } from './quiet-hours.ts'

const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', lettingFatal: false }

/** Unix milliseconds of a UTC time. */
const at = (text: string) => Date.parse(`${text}Z`)

it.each([
  ['in the evening', '2026-11-21T21:30:10', '2026-11-22T06:00'],
  ['after midnight', '2026-11-22T03:00', '2026-11-22T06:00'],
  ['when the clock is set forward', '2026-03-28T22:00', '2026-03-29T05:00'],
  ['when the clock is set back', '2026-10-24T21:00', '2026-10-25T06:00'],
])('end at the same time by the clock of their zone: %s', (_name, now, end) => {
  expect(isQuietAt(night, at(now))).toBe(true)
  expect(new Date(endOfQuietHours(night, at(now)))).toEqual(new Date(at(end)))
})

it('that leave one minute of the day end in it', () => {
  const hours = { ...night, from: '00:00', to: '23:59', timeZone: 'UTC' }
  expect(endOfQuietHours(hours, at('2026-11-21T00:00'))).toBe(at('2026-11-21T23:59'))
})
