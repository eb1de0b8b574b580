import { describe, expect, it } from 'vitest'
import { readCronSchedule } from './cron-schedule.ts'

describe('readCronSchedule', () => {
  it.each([
    [undefined, '17 3 * * *'],
    ['', '17 3 * * *'],
    ['* * * * *', '* * * * *'],
    ['*/5 0-6,12 * * 1', '*/5 0-6,12 * * 1'],
  ])('reads %j', (CULVERT_CRON_SCHEDULE, schedule) => {
    expect(readCronSchedule({ CULVERT_CRON_SCHEDULE })).toBe(schedule)
  })

  it.each(['daily', '* * * *', '* * * * * *', '@daily', ' * * * * *', '* * * * *\n'])(
    'rejects %j',
    (CULVERT_CRON_SCHEDULE) => {
      expect(() => readCronSchedule({ CULVERT_CRON_SCHEDULE })).toThrow('five fields')
    },
  )
})
