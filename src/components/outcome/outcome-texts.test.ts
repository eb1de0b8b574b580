import { describe, expect, it } from 'vitest'
import { checkInProblems } from '#monitors/check-in.ts'
import { rejectionReasons } from '#protocol/rejection.ts'
import { filterReasons } from '#server/filter/filter-reason.ts'
import { discardReasons } from '#server/ingest/items/client-report.ts'
import { spanProblems } from '#server/normalize/spans/read-segment.ts'
import { limitReasons } from '#server/rate-limit/request-limits.ts'
import { findReasonSentence } from './outcome-texts.ts'

describe('findReasonSentence', () => {
  it.each(filterReasons)('explains the filter %s', (reason) => {
    expect(findReasonSentence('filtered', reason)).toMatch(/^[A-Z].*\.$/)
  })

  it.each([...discardReasons, 'other'])('explains why an SDK discards events: %s', (reason) => {
    expect(findReasonSentence('client_discard', reason)).toMatch(/^[A-Z].*\.$/)
  })

  it.each([...limitReasons, 'overload'])('explains the limit %s', (reason) => {
    expect(findReasonSentence('rate_limited', reason)).toMatch(/^[A-Z].*\.$/)
  })

  it.each(rejectionReasons)('explains why a request is rejected: %s', (reason) => {
    expect(findReasonSentence('invalid', reason)).toMatch(/^[A-Z].*\.$/)
  })

  it.each(checkInProblems)('names the problem of a check-in: %s', (reason) => {
    expect(findReasonSentence('invalid', reason)).toMatch(/^[A-Z].*\.$/)
  })

  it.each(spanProblems)('names the problem of a span: %s', (reason) => {
    expect(findReasonSentence('invalid', reason)).toMatch(/^[A-Z].*\.$/)
  })

  it('explains what spike protection does', () => {
    for (const outcome of ['accepted', 'rate_limited'] as const) {
      expect(findReasonSentence(outcome, 'spike_protection')).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('returns undefined for an unknown reason', () => {
    expect(findReasonSentence('filtered', 'constructor')).toBeUndefined()
    expect(findReasonSentence('accepted', '')).toBeUndefined()
  })
})
