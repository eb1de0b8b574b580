import { expect, it } from 'vitest'
import { parseCheckIn } from './check-in.ts'

it.each(['', null, undefined])('a check-in with the time zone %j has a crontab in UTC', (timezone) => {
  const config = { schedule: { type: 'crontab', value: '0 4 * * *' }, timezone }
  expect(parseCheckIn({ monitor_slug: 'nightly', status: 'ok', monitor_config: config })).toMatchObject({
    ok: true,
    checkIn: { config: { ok: true, settings: { schedule: { timeZone: 'UTC' } } } },
  })
})

it('a check-in has well-formed texts, which are equal to those that are stored', () => {
  const sent = {
    monitor_slug: 'nightly',
    status: 'ok',
    environment: 'a\ud800',
    release: 'b\ud800',
    output: 'c\ud800',
  }
  expect(parseCheckIn(sent)).toMatchObject({
    checkIn: { environment: 'a\ufffd', release: 'b\ufffd', body: 'c\ufffd' },
  })
})
