/**
 * The outcome of a sent item, in Relay's terms: `accepted` was stored, `filtered` was dropped by a filter,
 * `rate_limited` exceeded a rate limit, `invalid` was unreadable or a duplicate, `abuse` exceeded a server
 * limit, `client_discard` was dropped by the SDK according to its client report. Relay has no `undelivered`:
 * an envelope that could not be forwarded to an upstream, independent of the other outcomes of its items.
 */
export const outcomeKinds = [
  'accepted',
  'filtered',
  'rate_limited',
  'invalid',
  'abuse',
  'client_discard',
  'undelivered',
] as const
export type OutcomeKind = (typeof outcomeKinds)[number]
