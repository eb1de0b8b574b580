/**
 * Parses the seconds of a `Retry-After` header (RFC 9110 §10.2.3): a number, also with a fraction, or a date,
 * which is compared to `now` (Unix milliseconds); 0 for a date that has passed. Undefined for other values.
 */
export function parseRetryAfter(text: string, now: number): number | undefined {
  const trimmed = text.trim()
  if (/^[0-9]{1,15}(?:\.[0-9]{1,6})?$/.test(trimmed)) return Number(trimmed)
  // A date begins with the name of a day; `Date.parse` also accepts invalid values.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(trimmed)) return undefined
  // The oldest of the three formats has no zone, and means GMT (RFC 9110 §5.6.7).
  const at = Date.parse(/[0-9]{4}$/.test(trimmed) ? `${trimmed} GMT` : trimmed)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}
