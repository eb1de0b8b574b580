import { expect, it, vi } from 'vitest'
import { hourMs } from '#time/time-steps.ts'
import { toReleaseFields } from './releases/body.ts'
import { readTimeRange } from './time-range.ts'

const read = (start: string) =>
  readTimeRange(new URLSearchParams({ start }), { now: Date.now(), hasPeriod: true })

it.each([
  ['2026-03-01T10:30:00', 10.5],
  ['2026-03-01 10:30:00', 10.5],
  ['2026-03-01 10:30', 10.5],
  ['2026-03-01t10:30:00z', 10.5],
  ['2026-03-01T10:30:00+02:00', 8.5],
  ['2026-03-01 10:30:00-0500', 15.5],
  ['2026-03-01 10:30:00 UTC', 10.5],
  ['2026-03-01', 0],
])('the time %s is in UTC on a server in any time zone', (text, hours) => {
  vi.stubEnv('TZ', 'America/New_York')
  try {
    const at = Date.UTC(2026, 2, 1) + hours * hourMs
    expect(read(text)).toEqual({ ok: true, value: { start: at } })
    expect(toReleaseFields({ dateReleased: text })).toEqual({ releasedAt: at, ref: undefined })
  } finally {
    vi.unstubAllEnvs()
  }
})
