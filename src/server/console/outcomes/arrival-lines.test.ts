import { describe, expect, it } from 'vitest'
import type { OutcomeKind } from '#protocol/outcome.ts'
import { findArrivalLine } from './arrival-lines.ts'

type Case = [outcome: OutcomeKind, reason: string, items: [number, string]]

const lineOf = ([outcome, reason, [quantity, category]]: Case) => {
  const found = findArrivalLine({ outcome, reason, category, quantity })
  return found && `${found.text} ${found.reason ?? ''}`.trim()
}

describe('the lines of a project that waits for its first event', () => {
  it.each<[...Case, line: string]>([
    [
      'filtered',
      'ignored-error',
      [1, 'error'],
      '1 event arrived and was dropped by the filter ignored-error',
    ],
    [
      'filtered',
      'localhost',
      [1200, 'default'],
      '1,200 events arrived and were dropped by the filter localhost',
    ],
    [
      'invalid',
      'feature_disabled',
      [1, 'transaction'],
      '1 transaction arrived; traces are turned off in this project',
    ],
    [
      'invalid',
      'feature_disabled',
      [3, 'log_item'],
      '3 log entries arrived; Culvert does not store log entries',
    ],
    ['invalid', 'too_large', [1, 'error'], '1 event arrived and was rejected: too_large'],
    ['invalid', 'project_id', [2, 'unknown'], '2 requests with an unknown or disabled key'],
    ['invalid', 'unknown_item', [1, 'unknown'], '1 item of an unknown type arrived'],
    ['rate_limited', 'key_limit', [4, 'error'], '4 events arrived over the limit key_limit'],
    ['client_discard', 'before_send', [5, 'error'], '5 events were dropped by the SDK: before_send'],
    ['accepted', '', [6, 'session'], '6 sessions arrived: the SDK is connected'],
    ['accepted', '', [1, 'transaction'], '1 transaction arrived: the SDK is connected'],
    ['accepted', 'forwarded', [1, 'error'], '1 event was forwarded to the upstream and not stored here'],
  ])('%s, %s, %j', (...[outcome, reason, items, line]) => {
    expect(lineOf([outcome, reason, items])).toBe(line)
  })

  it.each<Case>([
    ['accepted', '', [1, 'error']],
    ['client_discard', 'sample_rate', [900, 'span']],
    ['undelivered', 'upstream_full', [1, 'internal']],
    ['invalid', 'constructor', [1, 'unknown']],
  ])('omits %s, %s, %j', (...each) => {
    expect(lineOf(each)).toBeUndefined()
  })
})
