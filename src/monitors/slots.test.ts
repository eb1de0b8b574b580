import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import { toWallTime } from '#time/time-zone.ts'
import { parseCrontab, type Crontab } from './crontab.ts'
import { defaultMonitorSettings, type MonitorSettings } from './schedule.ts'
import { firstSlot, nextCrontabTime, slotAfter } from './slots.ts'

/** Instants as the tests write them, in UTC. */
const utc = (text: string) => Date.parse(`${text}Z`)
const format = (at: number) => new Date(at).toISOString().slice(0, 16)

function listTimes(crontab: string, timeZone: string, [from, to]: [string, string]): string[] {
  const found = []
  for (let at = nextCrontabTime({ crontab, timeZone }, utc(from) - 1); at < utc(to);)
    at = (found.push(format(at)), nextCrontabTime({ crontab, timeZone }, at))
  return found
}

function crontabSettings(crontab: string, timeZone: string, marginMinutes = 1): MonitorSettings {
  return { ...defaultMonitorSettings, marginMinutes, schedule: { kind: 'crontab', crontab, timeZone } }
}

/** Visits these minutes of every hour of two years in local time. */
function walk(
  timeZone: string,
  minutes: ReadonlySet<number>,
  visit: (at: number, local: Date) => void,
): void {
  const start = Date.UTC(2026, 0, 1)
  const end = start + 730 * dayMs
  let offsetMs = 0
  for (let at = start; at < end; at += minuteMs) {
    if (at % (15 * minuteMs) === 0) ({ offsetMs } = toWallTime(at, timeZone))
    const localAt = at + offsetMs
    if (minutes.has((localAt / minuteMs) % 60)) visit(at, new Date(localAt))
  }
}

function matches(crontab: Crontab, local: Date): boolean {
  const { minutes, hours, months, daysOfMonth, daysOfWeek, matchesEitherDay } = crontab
  if (!minutes.has(local.getUTCMinutes()) || !hours.has(local.getUTCHours())) return false
  if (!months.has(local.getUTCMonth() + 1)) return false
  const [ofMonth, ofWeek] = [daysOfMonth.has(local.getUTCDate()), daysOfWeek.has(local.getUTCDay())]
  return matchesEitherDay ? ofMonth || ofWeek : ofMonth && ofWeek
}

function requireCrontab(text: string): Crontab {
  const parsed = parseCrontab(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.crontab
}

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']
const crontabs = [
  '*/7 * * * *',
  '30 2 * * *',
  '0 */4 * * mon-fri',
  '15 1,2,3 1-7 * *',
  '0 0 29 2 *',
  '45 1 * * sun',
]

describe('the times of two years', () => {
  it.each(zones)('are those of a wall clock, each local time once: %s', (timeZone) => {
    const parsed = crontabs.map((text) => ({ text, crontab: requireCrontab(text) }))
    const expected = new Map(crontabs.map((text) => [text, new Map<string, number>()]))
    const minutes = new Set(parsed.flatMap(({ crontab }) => [...crontab.minutes]))
    walk(timeZone, minutes, (at, local) => {
      for (const { text, crontab } of parsed) {
        if (!matches(crontab, local)) continue
        // An hourly job follows real time, so both times of a repeated hour count.
        const name = crontab.isHourly ? String(at) : local.toISOString()
        const times = expected.get(text)
        if (times !== undefined && !times.has(name)) times.set(name, at)
      }
    })
    for (const [text, times] of expected) {
      const found = []
      const end = Date.UTC(2026, 0, 1) + 730 * dayMs
      const schedule = { crontab: text, timeZone }
      for (
        let at = nextCrontabTime(schedule, Date.UTC(2026, 0, 1) - 1);
        at < end;
        at = nextCrontabTime(schedule, at)
      )
        found.push(at)
      expect([text, ...found]).toEqual([text, ...times.values()])
    }
  })
})

// The cases are those of cronsim's tests of daylight-saving time, in the years that these zones have now.
describe('a change of the clocks', () => {
  it.each([
    ['30 1 * * *', ['2026-03-28T12:00', '2026-03-30T12:00'], ['2026-03-29T00:30', '2026-03-29T23:30']],
    // 02:30 does not exist on March 29: no check-in is expected.
    ['30 2 * * *', ['2026-03-28T12:00', '2026-03-30T12:00'], ['2026-03-30T00:30']],
    [
      '0 * * * *',
      ['2026-03-28T23:30', '2026-03-29T02:30'],
      ['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00'],
    ],
    ['30 3 * * *', ['2026-03-28T12:00', '2026-03-30T00:00'], ['2026-03-29T01:30']],
    // 02:30 happens twice on October 25: the first one is expected.
    ['30 2 * * *', ['2026-10-24T12:00', '2026-10-26T12:00'], ['2026-10-25T00:30', '2026-10-26T01:30']],
    ['30 * * * *', ['2026-10-25T00:00', '2026-10-25T02:00'], ['2026-10-25T00:30', '2026-10-25T01:30']],
    ['*/30 2 * * *', ['2026-10-24T23:00', '2026-10-25T12:00'], ['2026-10-25T00:00', '2026-10-25T00:30']],
    ['0 3 * * *', ['2026-10-24T23:00', '2026-10-25T12:00'], ['2026-10-25T02:00']],
  ])('in Berlin: %s in %j', (crontab, [from = '', to = ''], times) => {
    expect(listTimes(crontab, 'Europe/Berlin', [from, to])).toEqual(times)
  })

  it('by half an hour keeps both: Lord Howe', () => {
    // 01:45 happens twice on April 5, and 02:15 not at all on October 4.
    expect(listTimes('45 1 5 4 *', 'Australia/Lord_Howe', ['2026-04-01T00:00', '2026-05-01T00:00'])).toEqual([
      '2026-04-04T14:45',
    ])
    expect(listTimes('15 2 4 10 *', 'Australia/Lord_Howe', ['2026-10-01T00:00', '2026-11-01T00:00'])).toEqual(
      [],
    )
  })

  it('accepts a run at either time of a repeated hour', () => {
    const slot = slotAfter(crontabSettings('30 2 * * *', 'Europe/Berlin', 5), utc('2026-10-24T00:30'))
    expect([format(slot.at), format(slot.closesAt)]).toEqual(['2026-10-25T00:30', '2026-10-25T01:35'])
  })
})

describe('the slot of a check-in', () => {
  it('opens by the margin before its time, but not before the middle of the interval', () => {
    const hourly = slotAfter(crontabSettings('0 * * * *', 'UTC', 10), utc('2026-05-01T10:00'))
    expect([format(hourly.opensAt), format(hourly.closesAt)]).toEqual([
      '2026-05-01T10:50',
      '2026-05-01T11:10',
    ])
    const wide = slotAfter(crontabSettings('0 * * * *', 'UTC', 600), utc('2026-05-01T10:00'))
    expect([format(wide.opensAt), format(wide.closesAt)]).toEqual(['2026-05-01T10:30', '2026-05-01T12:00'])
  })

  it('is the last one while its margin lasts, and the next one after it', () => {
    const settings = crontabSettings('0 4 * * *', 'UTC', 30)
    expect(format(firstSlot(settings, utc('2026-05-01T04:20')).at)).toBe('2026-05-01T04:00')
    expect(format(firstSlot(settings, utc('2026-05-01T03:40')).at)).toBe('2026-05-01T04:00')
    expect(format(firstSlot(settings, utc('2026-05-01T12:00')).at)).toBe('2026-05-02T04:00')
    expect(format(firstSlot(crontabSettings('0 0 29 2 *', 'UTC', 30), utc('2026-05-01T12:00')).at)).toBe(
      '2028-02-29T00:00',
    )
  })

  it('follows the check-in of an interval', () => {
    const settings = {
      ...defaultMonitorSettings,
      schedule: { kind: 'interval', value: 2, unit: 'hour' },
    } as const
    const at = utc('2026-05-01T10:17')
    expect(slotAfter(settings, at)).toEqual({
      at: at + 2 * hourMs,
      opensAt: at + 2 * hourMs - minuteMs,
      closesAt: at + 2 * hourMs + minuteMs,
    })
  })

  it('never overlaps the next one: each check-in belongs to one slot', () => {
    const field = fc.constantFrom('*', '0', '*/5', '30', '7-20/3')
    const text = fc.tuple(
      field,
      fc.constantFrom('*', '2', '*/3', '1-3'),
      fc.constantFrom('*', 'sun', 'mon-fri'),
    )
    fc.assert(
      fc.property(
        text,
        fc.record({
          zone: fc.constantFrom(...zones),
          days: fc.integer({ min: 0, max: 730 }),
          margin: fc.integer({ min: 1, max: 2000 }),
        }),
        ([minute, hour, day], { zone, days, margin }) => {
          const settings = crontabSettings(`${minute} ${hour} * * ${day}`, zone, margin)
          let slot = firstSlot(settings, Date.UTC(2026, 0, 1) + days * dayMs)
          for (let count = 0; count < 5; count += 1) {
            const next = slotAfter(settings, slot.at)
            expect(next.at).toBeGreaterThan(slot.at)
            expect(next.closesAt).toBeGreaterThanOrEqual(slot.closesAt)
            expect(slot.closesAt).toBeLessThanOrEqual(next.at)
            slot = next
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
