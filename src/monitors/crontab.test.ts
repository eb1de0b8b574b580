import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextLocalTime, parseCrontab } from './crontab.ts'

function nextDay(text: string): string {
  const parsed = parseCrontab(text)
  return parsed.ok ? new Date(nextLocalTime(parsed.crontab, Date.UTC(2026, 4, 1)) ?? 0).toISOString() : ''
}

describe('a crontab', () => {
  it.each([
    '* * * * *',
    '*/5 0-23/2 1,15 jan-jun mon-fri',
    '5/15 * * * 7',
    ' 0  4 * * SUN ',
    '@daily',
    '@hourly',
    '0 0 31 * mon',
  ])('is accepted: %s', (text) => {
    expect(parseCrontab(text)).toMatchObject({ ok: true })
  })

  it.each([
    ['0 0 4 * * *', 'This one has 6.'],
    ['* * * *', 'This one has 4.'],
    ['', 'This one has 1.'],
    ['@reboot', 'This one has 1.'],
    ['60 * * * *', 'minute'],
    ['* 24 * * *', 'hour'],
    ['* * 0 * *', 'day of the month'],
    ['* * * 13 *', 'month'],
    ['* * * * 8', 'day of the week'],
    ['5-1 * * * *', 'minute'],
    ['*/0 * * * *', 'minute'],
    ['1,,2 * * * *', 'minute'],
    ['L * * * *', 'minute'],
    ['0 0 31 feb *', 'no date'],
    ['0 0 * * mon#2', 'day of the week'],
    ['*'.repeat(1000), 'too long'],
  ])('is rejected: %s', (text, problem) => {
    const parsed = parseCrontab(text)
    expect(parsed).toMatchObject({ ok: false })
    expect(parsed.ok ? '' : parsed.problem).toContain(problem)
  })

  it('with both days matches either, as in Vixie cron, unless one begins with a star', () => {
    // May 1 2026 is a Friday.
    expect(nextDay('0 0 13 * mon')).toBe('2026-05-04T00:00:00.000Z')
    expect(nextDay('0 0 13 * *')).toBe('2026-05-13T00:00:00.000Z')
    expect(nextDay('0 0 */13 * mon')).toBe('2026-06-01T00:00:00.000Z')
  })

  it('has a next time for every accepted crontab', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0 1 5 9 * / , -'.split(' '), ' '), maxLength: 24 }),
        (text) => {
          const parsed = parseCrontab(text)
          expect(parsed.ok ? nextLocalTime(parsed.crontab, 0) : 1).toBeGreaterThan(0)
        },
      ),
    )
  })
})
