/**
 * The reasons for rejecting a complete request, without reading its items, with Relay's names
 * (`DiscardReason`). The list is closed, so that requests cannot add an unlimited number of rows.
 */
export const rejectionReasons = [
  'auth_client',
  'auth_version',
  'content_type',
  'cors',
  'feature_disabled',
  'internal',
  'invalid_compression',
  'invalid_envelope',
  'invalid_json',
  'invalid_multipart',
  'no_data',
  'payload',
  'project_id',
  'project_state',
  'too_large',
] as const

export type RejectionReason = (typeof rejectionReasons)[number]

/** The data category of a rejected request: its items are unknown. */
export const rejectionCategory = 'unknown'

/** How a rejected request is counted. */
export type Rejection =
  | {
      outcome: 'invalid'
      reason: RejectionReason
      /** The problem. It is shown on screens, so it must not quote the request. */
      detail: string
    }
  | { outcome: 'rate_limited'; reason: string }

/** Returns the reason, or undefined for other outcomes. */
export function findRejectionReason(reason: string): RejectionReason | undefined {
  return rejectionReasons.find((each) => each === reason)
}
