import { dayMs, hourMs } from '#time/time-steps.ts'
import type { CrashFreeLimit } from './rule.ts'
import { formatDuration } from './sentence.ts'

/** Texts that `parseCrashFree` reads, as examples. */
export const crashFreeExamples = [
  '99.5% of sessions in 1 hour',
  '98% of users in 1 day, at least 200',
  '99% of sessions of a release in 6 hours',
]

const units = { hour: hourMs, day: dayMs } as const

/** Minimum sessions or users to evaluate a rate, unless the text has another number. */
const usualAtLeast = 100

/** Parses a crash-free rate. Undefined for other texts. The rule's schema checks the numbers. */
export function parseCrashFree(
  text: string,
): (Omit<CrashFreeLimit, 'windowMs'> & { windowMs: number }) | undefined {
  const [, below, of, each, length = '1', unit, atLeast] =
    /^(\d{1,2}(?:\.\d{1,3})?) ?% of (sessions|users)( of a release)? in (?:(\d{1,3}|an?) )?(hour|day)s?(?:, at least (\d{1,9}))?$/.exec(
      text.trim(),
    ) ?? []
  if ((of !== 'sessions' && of !== 'users') || (unit !== 'hour' && unit !== 'day')) return undefined
  return {
    of,
    below: Number(below),
    isOfRelease: each !== undefined,
    windowMs: (/^\d/.test(length) ? Number(length) : 1) * units[unit],
    atLeast: atLeast === undefined ? usualAtLeast : Number(atLeast),
  }
}

/** The inverse of `parseCrashFree`. */
export function formatCrashFreeText({ of, below, isOfRelease, windowMs, atLeast }: CrashFreeLimit): string {
  const each = isOfRelease ? ' of a release' : ''
  const least = atLeast === usualAtLeast ? '' : `, at least ${atLeast}`
  return `${below}% of ${of}${each} in ${formatDuration(windowMs)}${least}`
}
