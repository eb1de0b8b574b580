import type { RejectionReason } from '#protocol/rejection.ts'

/** The reason why requests were rejected, to be written after "3 requests". */
export const rejectionNames: Record<RejectionReason, string> = {
  auth_client: 'without a valid key',
  auth_version: 'with an unknown version of the protocol',
  content_type: 'with a wrong content type',
  cors: 'from an origin that is not allowed',
  feature_disabled: 'to an unsupported endpoint',
  internal: 'on which Culvert failed',
  invalid_compression: 'with broken or unsupported compression',
  invalid_envelope: 'with an invalid envelope',
  invalid_json: 'with invalid JSON',
  invalid_multipart: 'with an invalid form',
  no_data: 'without data',
  payload: 'with an incomplete body',
  project_id: 'with an unknown or disabled key',
  project_state: 'while the project is disabled',
  too_large: 'over the size limit',
}
