import { limits } from '#server/limits.ts'

/**
 * Limits per project for data that any client with a DSN can send, which bound a flood between two runs of
 * retention.
 */
export interface StoreBounds {
  /** Bytes of queued envelopes per upstream. */
  outboxBytes: number
  /** Bytes of all attachments of one project, as stored. */
  attachmentBytes: number
}

/** The bounds for a maximum database size: a share of it each, up to their own limits. */
export function toStoreBounds(maxBytes: number): StoreBounds {
  const share = Math.floor(maxBytes * limits.boundedShare)
  return {
    outboxBytes: Math.min(limits.outboxBytes, share),
    attachmentBytes: Math.min(limits.attachmentBytesPerProject, share),
  }
}
