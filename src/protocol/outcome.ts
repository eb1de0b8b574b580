/**
 * The outcome of a sent item, in Relay's terms: `accepted` is stored, `filtered` was unwanted, `rate_limited`
 * was too much, `invalid` could not be read (or was a duplicate), `abuse` broke a limit of ours,
 * `client_discard` never left the SDK and is known from its client report. Relay has no `undelivered`: an
 * envelope that could not be forwarded to an upstream, independent of the other outcomes of its items.
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
