import { expect, it } from 'vitest'
import { parseCheckIn } from './check-in.ts'

it.each(['', null, undefined])('a check-in with the time zone %j has a crontab in UTC', (timezone) => {
  const config = { schedule: { type: 'crontab', value: '0 4 * * *' }, timezone }
  expect(parseCheckIn({ monitor_slug: 'nightly', status: 'ok', monitor_config: config })).toMatchObject({
    ok: true,
    checkIn: { config: { ok: true, settings: { schedule: { timeZone: 'UTC' } } } },
  })
})
