import { describe, expect, it } from 'vitest'
import fixture from '../../../test/fixtures/inbound-filters/error-messages.json' with { type: 'json' }
import { hasFilteredMessage } from './error-messages.ts'
import { compileGlobs } from './glob.ts'

describe('hasFilteredMessage', () => {
  it.each(fixture.cases)(
    'decides like Relay: $exception_type, $exception_value, $logentry_formatted',
    (filterCase) => {
      const { exception_type: type, exception_value: value, logentry_formatted: formatted } = filterCase
      const exception = { type: type ?? undefined, value: value ?? undefined }
      const message = formatted === null ? {} : { message: { formatted } }
      expect(
        hasFilteredMessage(
          { type: 'error', exceptions: [exception], ...message },
          compileGlobs(filterCase.patterns),
        ),
      ).toBe(filterCase.filtered)
    },
  )

  it('checks type, value and both together, of every exception', () => {
    const exceptions = [
      { type: 'Cause', value: 'disk full' },
      { type: 'TypeError', value: 'x is undefined' },
    ]
    for (const pattern of ['cause', 'disk *', 'Cause: disk full', 'TypeError: x*', 'typeerror']) {
      expect(hasFilteredMessage({ type: 'error', exceptions }, compileGlobs([pattern]))).toBe(true)
    }
    expect(hasFilteredMessage({ type: 'error', exceptions }, compileGlobs(['undefined']))).toBe(false)
  })
})
