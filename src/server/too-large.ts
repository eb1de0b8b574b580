/**
 * The status of every rejection over a size limit, at all endpoints (RFC 9110 §15.5.14). No other module
 * writes the number. Ingest answers it for `limits.ingestBodyBytes` (the inflated body) and
 * `limits.eventBytes` (one event).
 */
export const tooLargeStatus = 413

/** The rejection of a request over a size limit. */
export interface TooLarge {
  ok: false
  status: typeof tooLargeStatus
  reason: 'too_large'
  problem: string
}

/** Rejects a request over a size limit. `problem` names what is too large. */
export function tooLarge(problem: string): TooLarge {
  return { ok: false, status: tooLargeStatus, reason: 'too_large', problem }
}
